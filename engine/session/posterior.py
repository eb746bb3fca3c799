"""The posterior as stored and shown: a Gaussian mixture in inference space, read in the user's units.

Numpy only: the window draws marginals from it and past iterations are redrawn without the engine.
"""
