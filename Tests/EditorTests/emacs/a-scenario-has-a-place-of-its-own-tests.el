;;; a-scenario-has-a-place-of-its-own-tests.el --- What a scenario finds  -*- lexical-binding: t; -*-

;;; Code:

(require 'ert)

(ert-deftest todostream-test-a-place-of-its-own ()
  "The program is the built one, and the store is empty and nobody else's."
  (should (equal (shell-command-to-string "todostream add Buy milk") "Added #1 Buy milk\n"))
  (should (file-exists-p (getenv "TODOSTREAM_STORE"))))

;;; a-scenario-has-a-place-of-its-own-tests.el ends here
