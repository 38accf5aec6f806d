"""The solutions of lesson 11, each under the id of its cell, and with the names that stand there."""
# ruff: noqa: F821


# %% exercise-a
def repackage(h):
    return h.detach()


w = minigrad.tensor(1.0, requires_grad=True)
h = w * w
new = repackage(h)
# %% exercise-b
w = minigrad.tensor(1.0, requires_grad=True)
h = minigrad.tensor(1.0)
for step in range(3):
    h = w * h
h.backward()
h = repackage(h)
for step in range(3):
    h = w * h
