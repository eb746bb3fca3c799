"""Whose program is it, and who agreed to run it: what a run starts, the signed consent, the sheet that is shown before.

``what_runs`` looks, ``consent`` signs and checks, ``sheet`` says it in words.
"""
