"""Methods that others are measured against: Laplace's approximation, Markov chains, stacking of chains, and what they need.

Algorithms alone: arrays and functions in, arrays out, in unbounded coordinates. ``inference`` runs them against simulators.
Searches and samplers that need one value at a time are generators: they yield points and are sent values, so that the same
code runs on a cheap function here and, evaluation by evaluation, on a simulator.
"""
