" The program is the built one, and the store is empty and nobody else's.
call assert_equal("Added #1 Buy milk\n", Someone('add Buy milk'))
call assert_true(filereadable($TODOSTREAM_STORE))
call assert_equal([], glob('~/*', 0, 1))
call assert_equal($HOME, $TODOSTREAM_STORE[: strlen($HOME) - 5] .. 'home')
