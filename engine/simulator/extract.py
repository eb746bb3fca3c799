"""Reading outputs; the code lives in ``problem.extract`` so that the window shows at once what an extractor reads."""

from ..problem.extract import ExtractionError, Reading, decode, extract, read_output, values_of

__all__ = ["ExtractionError", "Reading", "decode", "extract", "read_output", "values_of"]
