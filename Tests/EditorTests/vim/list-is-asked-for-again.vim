" What is asked for while an answer is on its way is asked for when that is there.
call Someone('add Buy milk --tag home')
call Someone('add Bread')
call OpenList(2)
call system('kill -STOP ' .. todostream#process())
call Type('R')
Todo Bread
Todo --tag home
call system('kill -CONT ' .. todostream#process())
call WaitFor('b:todostream_ids == [1]')
call assert_match('^Todos --tag home ', getline(1))
