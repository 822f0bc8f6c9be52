// CStart has nothing to call: it is linked for what it does before main.
