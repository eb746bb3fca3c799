"""The methods: what is asked next, what the answer is, when it is right."""
