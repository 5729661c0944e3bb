" An error of the store is said in the store's words.
call mkdir($TODOSTREAM_STORE)
Todo
call WaitForMessage('todos.sqlite: is a folder; name a file with --store')
call assert_match('0 shown', getline(1))
