"""The solutions of lesson 13, each under the id of its cell, and with the names that stand there."""
# ruff: noqa: F821

# %% exercise-a
w = minigrad.tensor(1.0, requires_grad=True)
seen = []
for step in range(4):
    if step % 2 == 0:
        target = w.detach().clone()
    with minigrad.no_grad():
        w += 1
    seen.append(target.item())
# %% exercise-b
with minigrad.no_grad():
    ema.mul_(0.5).add_(0.5 * w)
