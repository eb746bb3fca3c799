@rem The command line in a terminal: the program with a console. UNTESTED.
@"%~dp0..\bayescope-console.exe" %*
