"""What a remark beside a number in an input file says of it: ``T = 300  % transmissivity, m2/day``. Pure."""

from __future__ import annotations

import re

from bayescope.engine.problem.data.names.column_names import has_unit
from bayescope.engine.problem.data.units.unit_names import HEIGHT, is_unit, known_unit
from bayescope.engine.problem.data.units.unit_scales import times
from bayescope.engine.problem.numbers.number_text import NUMBER, value_of
from bayescope.engine.problem.numbers.numbers_in_text import line_bounds, numbers

LONGEST = 40  # characters of a label: axes and tables hold no more
_MARK = r"(?:%+|\#+|!+|//+|;+|--+|/\*+|<!--|\$+)"
_BESIDE = re.compile(rf"[\s,;)\]}}'\"]*(?:</[\w:.-]+>\s*)?{_MARK}[\s%#!/;*<>$=-]*(?P<words>.*?)\s*(?:\*/|-->)?\s*")
_ABOVE = re.compile(rf"(?:[Cc*](?=\s|$)|\s*{_MARK})[\s%#!/;*$-]*(?P<words>.*?)\s*(?:\*/|-->)?\s*")
LAST_REMARK = re.compile(rf"(?:^|(?<=[\s;,)])){_MARK}")
_SAID_VALUE = re.compile(
    rf"(?<![\w.])(?P<name>[^\W\d]\w*)\s*(?:=|:=|\u2248|~)\s*(?P<number>{NUMBER})(?![\w.])(?:\s*[(\[]?(?P<unit>[^\s,;()\[\]]+))?"
)
_INSIDE = r"(?:[^()\[\]]|\([^()]*\))+?"  # W/(m K)
_BRACKET = re.compile(rf"(?:^|\s+)[(\[]\s*({_INSIDE})\s*[)\]](?=\s*(?:[,;.:]|$))")
_BRACKET_FIRST = re.compile(rf"[(\[]\s*(?P<unit>{_INSIDE})\s*[)\]]\s*[,;:]?\s+(?P<words>\S.*)")
_APART_FIRST = re.compile(r"(?P<unit>\S+(?: \S+)*?)(?:\s{2,}|\t\s*)(?P<words>\S.*)")
_COMPOUND_FIRST = re.compile(r"(?P<unit>(?=\S*[/^*\u00b7])(?:[^\s(),;]|\([^()]*\))+)[,;:]?\s+(?P<words>\S.*)")  # m may be a word
_PER_FIRST = re.compile(  # mol per kg water in a cell, the capacity
    r"(?P<unit>[^\W\d_]\S* (?:per|/) [^\W\d_][^\s,;]*)(?: [^,;]*)?[,;:] +(?:(?:the|an?) )?(?P<words>\S.*)", re.IGNORECASE
)
_CLAUSE = re.compile(r"\s*(?:[,;.:](?=\s)|\s[-\u2013\u2014]+\s|\bthat\b|\bwhich\b|\bso\b|\bas\b|\()")
_OF_THE_FILE = re.compile(  # words about the file or its history, not about the quantity
    r"(?:todo|fixme|xxx|change[ds]?|edit(?:ed)?|default|was|old|see|do\b|don.t|must|set\b|try|guess(?:ed)?|initial guess|"
    r"optional|range|at|of|or|and|per|literature|lit\.|from|somewhere|leave|keep|fixed|known|measured|estimated?|nominal|"
    r"(?:in|on|by|during|after|before)\s+(?:the|a|an|all|each|every|this|that|first|last|earlier|later)|"
    r"calibrat(?:e|ed|ion)|to be (?:calibrated|fitted|tuned|adjusted)|fit(?:ted)?|tuned?|"
    r"between|about|approx|roughly|probably|unknown|averaged?\s+over|over|for|with|without|not|assum(?:ed|ption)|"
    r"gesch(?:ä|ae)tzt(?:er|e|es)?|sch(?:ä|ae)tz(?:ung|wert)|gemessen(?:er|e|es)?|angenommen|annahme|nicht|vermutlich|unbekannt|"
    r"siehe|aus|laut|nach|geraten|vorl(?:ä|ae)ufig|bekannt|fest|angepasst|kalibriert|alt|"
    r"estimée?|mesurée?|supposée?|hypothèse|inconnue?|voir|selon|d'après|pas|calée?|ajustée?)\b",
    re.IGNORECASE,
)
_FILE_NAME = re.compile(  # where a value comes from: phreeqc.dat
    r"\S*\w\.(?:dat|txt|csv|tsv|inp|in|out|cfg|ini|json|xml|ya?ml|h5|nc|t?db|xlsx?|ods|docx?|pdf|py|md)(?=$|[\s,;:])",
    re.IGNORECASE,
)
_BEHIND = re.compile(rf"[ \t]*(?P<unit>(?:per )?[^\s#!;,%/]\S*|per \S+|%(?!%)|/\S+)(?=[ \t]*(?:$|\r|\n|{_MARK}))")
_NOTE = re.compile(
    r"(?:^|\s+)(?:[?!]{2,}|[?!](?=\s)|<[-=]+|[-=]{2,}>|\*{2,}|@{2,})\s*\S.*$|\s{2,}(?:to be )?(?:calibrat|fit|tun|adjust)\w*\W*$",
    re.IGNORECASE,
)
_SYMBOL_POWER = re.compile(r"(?<=[^\W\d_])\^[A-Za-z](?![^\W_])")  # s^n, of an exponent that is a parameter itself
_COUNTED = frozenset("persons people individuals cells counts cases patients animals".split())
_DIMENSIONLESS = ("-", "\u2013", "1", "none", "dimensionless", "unitless")


def remark_on(text: str, start: int, end: int) -> tuple[str, str]:
    """The label and the unit that a remark gives the number [start, end); '' for what it does not say.

    Behind the only number of its line, in any usual mark of a remark; else on the line above of a bare number.
    """
    words = words_on(text, start, end)
    label, unit = parted(words)
    return label, unit or _letter(words, text, start) or said_value(text, start, end)[1]


def _letter(words: str, text: str, start: int) -> str:
    """The unit of one letter that is all of a remark, as in ``kd = 0.5 // M``: where the number has a name, and another one; ''
    else, since ``0.5 # K`` may name it."""
    letter, before = words.strip(" .[]()"), re.findall(r"[^\W\d]\w*", text[line_bounds(text, start)[0] : start])
    return letter if len(letter) == 1 and _known(letter) and before and before[-1] != letter else ""


def unit_behind(text: str, start: int, end: int) -> tuple[str, int]:
    """The unit that stands right behind the only number [start, end) of its line and before a remark or the end of the line
    (8 days), and where it ends; ('', end): none does."""
    low, high = line_bounds(text, start)
    alone = all(_in_a_name(text, n.start) for n in numbers(text, low, start) if n.end <= start)
    found = _BEHIND.match(text, end, high) if alone else None
    unit = "" if found is None else " ".join(found["unit"].split())
    told = unit and (_known(unit) or _known(f"1 {unit}") or unit.casefold() in _COUNTED)
    return (unit, found.end("unit")) if told and found is not None else ("", end)


def _without_notes(words: str) -> str:
    """What is said of the quantity, without what somebody notes behind it for later: ?? calibrate, <-- check."""
    return _NOTE.sub("", words)


def words_on(text: str, start: int, end: int) -> str:
    """The words of that remark as they stand there; '' for none."""
    low, high = line_bounds(text, start)
    beside = _BESIDE.fullmatch(text[end:high].rstrip("\r\n"))
    if [n for n in numbers(text, low, start) if n.end <= start and not _in_a_name(text, n.start)]:
        return ""  # of several numbers it is not told which one is meant
    if beside is not None:
        return beside["words"]
    if text[low:start].strip() or text[end:high].strip() or low == 0:
        return ""
    above = _ABOVE.fullmatch(text[line_bounds(text, low - 1)[0] : low].rstrip("\r\n"))
    return "" if above is None else above["words"]


def said_value(text: str, start: int, end: int) -> tuple[str, str]:
    """The name and the unit in a remark behind the number [start, end), or on the line above, that repeats its value: r0 and A of
    ``2.866  # r0 = 2.866 A, to be fitted``; '' for what it does not say. The value tells which number of a line is meant."""
    value = value_of(text[start:end])
    low, high = line_bounds(text, start)
    remark = LAST_REMARK.search(text, end, high)
    above = _ABOVE.fullmatch(text[line_bounds(text, low - 1)[0] : low].rstrip("\r\n")) if low else None
    for words in (text[remark.end() : high] if remark is not None else "", "" if above is None else above["words"]):
        for found in _SAID_VALUE.finditer(words):
            if value is not None and value_of(found["number"]) == value:
                unit = (found["unit"] or "").rstrip(".")
                return found["name"], unit if _known(unit) else ""
    return "", ""


def _in_a_name(text: str, at: int) -> bool:
    """Whether a number is the end of a word: the 1 of r1."""
    return at > 0 and (text[at - 1].isalnum() or text[at - 1] in "_([")


def parted(words: str) -> tuple[str, str]:
    """The label and the unit of a remark: transmissivity and m2/day of ``transmissivity, m2/day``, ``transmissivity (m2/day), a
    guess``, ``m2/day (100 .. 500)`` and the like."""
    words = _without_notes(words)
    first = _unit_first(words.strip(" ."))
    words = " ".join(words.split()).strip(" .")
    label, unit = first if first is not None else _parted(words)
    return _short(label), "" if unit.casefold() in _DIMENSIONLESS else unit


def _unit_first(words: str) -> tuple[str, str] | None:
    """The label and the unit where the unit stands first: ``W/(m K)  conductivity``, ``[mm] radius``; None: no unit does."""
    for form in (_BRACKET_FIRST, _APART_FIRST, _COMPOUND_FIRST, _PER_FIRST):
        found = form.fullmatch(words)
        if found is not None and _known(found["unit"]):
            return " ".join(found["words"].split()), found["unit"]
    return None


def _parted(words: str) -> tuple[str, str]:
    brackets = list(_BRACKET.finditer(words))
    for bracket in brackets:
        if _unit(bracket[1], words):
            return words[: bracket.start()], bracket[1]
    if brackets and brackets[-1].end() == len(words):  # of no unit: a range, or how it is known
        rest = words[: brackets[-1].start()].strip()
        label, unit = ("", rest) if _unit(rest, words) else _parted(rest)
        return (label, unit) if unit else (words, "")
    if words.startswith("in ") and _unit(words.removeprefix("in ").strip(), words):
        return "", words.removeprefix("in ").strip()  # no inches
    clauses = [clause.strip() for clause in re.split(r"[,;](?=\s)", words)]
    for k, clause in enumerate(clauses[1:], 1):
        if _unit(clause, words):
            return ", ".join(clauses[:k]), clause
    spoken, _, after = clauses[0].rpartition(" in ")
    formula = re.search(r"=\s*[^\W\d]", spoken) is not None and _of_a_symbol(spoken, spoken)
    if spoken and not formula and _unit(after.strip(), words):
        return spoken, after.strip()
    if _unit(clauses[0], words) and len(words) > 1:
        return ", ".join(clauses[1:]), clauses[0]
    return words, ""


def _of_a_symbol(said: str, whole: str) -> bool:
    """Whether ``said``, up to the unit, ends with a symbol of the formula that is explained, which the unit is of: the E of
    k = KAMP*exp(E-E0)  E in eV."""
    symbol = re.search(r"(?:^|[\s,;(\[])([^\W\d]\w*)\s*$", said)
    return symbol is not None and len(re.findall(rf"(?<![^\W_]){re.escape(symbol[1])}(?![^\W_])", whole)) > 1


def _unit(word: str, whole: str) -> bool:
    said, _, unit = word.rpartition(" in ")
    if said and unit and _of_a_symbol(said, whole):
        return False
    spelled_so = has_unit(f"{whole} [{word}]") and any(c in word for c in "/^*\u00b7") and " " not in word
    return _known(word) or (spelled_so and any(c.isalpha() or c in "%\u2030\u00b0" for c in word))


def _known(word: str) -> bool:
    if not any(c.isalpha() or c in "%\u2030\u00b0" for c in word) and word not in _DIMENSIONLESS:
        return False  # a range of numbers
    named = word in _DIMENSIONLESS or known_unit(word) or HEIGHT.fullmatch(word) is not None
    plain = _SYMBOL_POWER.sub("", word) or word
    return named or is_unit(re.sub(r"[()]", " ", plain)) or times(word, word) is not None


def _is_bracketed_unit(label: str) -> bool:
    """Whether it is a unit made of others with powers, one word: mm^(1-alpha)/d."""
    return " " not in label and re.search(r"\^|\*\*", label) is not None


def _short(label: str) -> str:
    """What names the quantity, before what explains it; '' where that is no name."""
    if label[:1] in "([" and label[-1:] in ")]" and " " not in label and re.search(r"[/^]", label) and not label[1:2].isspace():
        return ""
    label = label.strip(" ,;:.-=<>*()[]") if label.startswith(("(", "[")) else label.strip(" ,;:.-=<>*")
    if len(label) > LONGEST:
        ends = [m.start() for m in _CLAUSE.finditer(label) if 3 <= m.start() <= LONGEST]
        label = label[: ends[0]].strip(" ,;:.-") if ends else ""
    clauses = re.split(r"[,;]\s+", label)
    while len(clauses) > 1 and _OF_THE_FILE.match(clauses[-1]):
        clauses.pop()
    label = ", ".join(clauses)
    if _is_bracketed_unit(label) or any(label.count(a) != label.count(b) for a, b in ("()", "[]")):
        return ""
    wordy = re.search(r"[^\W\d_]{2,}", label) is not None and _FILE_NAME.match(label) is None
    return label if wordy and "=" not in label and not _OF_THE_FILE.match(label) else ""
