"""The solutions of lesson 5, each under the id of its cell, and with the names that stand there."""
# ruff: noqa: F821

# %% exercise-a
x = minigrad.tensor([1.0, 2.0, 3.0], requires_grad=True)
c = x.clone()
y = c * c
d = x.detach()
d.zero_()
loss = y.sum()
# %% exercise-b
x = minigrad.tensor([0.0, 0.0, 0.0], requires_grad=True)
y = x.exp().clone()
y.detach().zero_()
loss = y.sum()
