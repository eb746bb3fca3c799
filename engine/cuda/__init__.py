"""The CUDA build of PyTorch, fetched when somebody asks for it: what it consists of, where it lies, how it is switched on."""
