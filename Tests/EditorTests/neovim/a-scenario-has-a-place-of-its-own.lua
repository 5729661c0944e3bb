-- The program is the built one, and the store is empty and nobody else's.
assert(vim.fn.system("todostream add Buy milk") == "Added #1 Buy milk\n")
assert(vim.fn.filereadable(vim.env.TODOSTREAM_STORE) == 1)
vim.cmd("qall!")
