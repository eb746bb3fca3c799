"""The engine's doors: command line, worker process, headless runs."""
