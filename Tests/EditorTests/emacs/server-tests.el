;;; server-tests.el --- The server beside Emacs  -*- lexical-binding: t; -*-

;;; Code:

(require 'support)

(defmacro server-tests-with-program (script &rest body)
  "Run BODY with a shell SCRIPT in place of the program."
  (declare (indent 1) (debug t))
  `(let ((todostream-program (expand-file-name "program" folder)))
     (write-region (concat "#!/bin/sh\n" ,script) nil todostream-program nil 'silent)
     (set-file-modes todostream-program #o755)
     ,@body))

(defun server-tests-kill ()
  "Kill the server, and wait until Emacs knows it."
  (let ((process todostream--process))
    (signal-process process 'SIGKILL)
    (todostream-tests-wait (and (not (process-live-p process))
                                (or todostream--down (not (eq process todostream--process)))))))

(defmacro server-tests-with-store-locked (&rest body)
  "Run BODY while another process holds the lock of the store: no write is answered."
  (declare (indent 0) (debug t))
  `(let* ((output "")
          (holder (make-process
                   :name "lock" :connection-type 'pipe :noquery t
                   :filter (lambda (_ text) (setq output (concat output text)))
                   :command (list "python3" "-c" "import fcntl, sys
file = open(sys.argv[1], 'r+')
fcntl.flock(file, fcntl.LOCK_EX)
print('locked', flush=True)
sys.stdin.read()" (concat todostream-store "-bell")))))
     (unwind-protect
         (progn (todostream-tests-wait (string-match-p "locked" output))
                ,@body)
       (delete-process holder))))

(defmacro server-tests-at-once (&rest body)
  "Run BODY, which must not wait for a stopped server: that would last for ever."
  (declare (indent 0) (debug t))
  `(let ((begin (float-time)))
     ,@body
     (should (< (- (float-time) begin) 20))))

(ert-deftest server-that-is-killed-is-started-again-once-and-said-so ()
  (todostream-tests-with-store
    (todostream-tests-add "one")
    (todostream-tests-list)
    (server-tests-kill)
    (should (todostream-tests-heard "The server ended; it is started again"))
    (todostream-tests-cli "add" "two")
    (todostream-tests-wait (= 2 (length todostream--todos)))
    (server-tests-kill)
    (should (todostream-tests-heard
             "The server ended again; M-x todostream-restart starts it"))
    (should (string-match-p "M-x todostream-restart starts it" (todostream--list-header)))
    (should-error (todostream-toggle 1) :type 'user-error)
    (todostream-tests-cli "add" "three")
    (todostream-tests-type "M-x todostream-restart RET")
    (todostream-tests-wait (and todostream--counts (= 3 (length todostream--todos))))
    (should (equal (todostream--list-header) " Todos  3 shown, 3 open, 0 overdue"))))

(ert-deftest server-that-is-killed-fails-what-it-had-to-answer-and-the-edit-stays ()
  (todostream-tests-with-store
    (todostream-tests-add "one")
    (todostream-tests-detail 1)
    (todostream-tests-set 'title "two")
    (server-tests-with-store-locked
      (todostream-save)
      (should todostream--saving)
      (server-tests-kill))
    (should (todostream-tests-heard "The server ended before it answered todo/edit"))
    (should (equal (todostream--text 'title) "two"))
    (should (buffer-modified-p))
    (should-not todostream--saving)
    (todostream-tests-settle)
    (todostream-tests-type "C-x C-s")
    (todostream-tests-wait (not (buffer-modified-p)))
    (should (equal (plist-get (todostream-tests-stored 1) :title) "two"))))

(ert-deftest server-that-is-killed-leaves-the-title-that-is-edited ()
  (todostream-tests-with-store
    (todostream-tests-add "one")
    (todostream-tests-list)
    (todostream-tests-go 1)
    (todostream-tests-type "e C-a C-k two")
    (server-tests-with-store-locked
      (todostream-title-save)
      (server-tests-kill))
    (todostream-tests-settle)
    (should (equal (todostream--edited-title) "two"))
    (todostream-tests-type "RET")
    (todostream-tests-wait (not todostream--edit))
    (should (equal (plist-get (todostream-tests-stored 1) :title) "two"))))

(ert-deftest server-that-is-started-again-gets-what-has-waited ()
  (todostream-tests-with-store
    (todostream-tests-add "one")
    (todostream-tests-detail 1)
    (todostream-tests-set 'title "two")
    (signal-process todostream--process 'SIGSTOP)
    (todostream-tests-wait (eq (process-status todostream--process) 'stop))
    (todostream-save)
    (should (= 1 (length todostream--waiting)))
    (server-tests-kill)
    (todostream-tests-wait (not (buffer-modified-p)))
    (should (equal (plist-get (todostream-tests-stored 1) :title) "two"))))

(ert-deftest server-that-cannot-start-is-tried-twice-and-its-words-are-shown ()
  (todostream-tests-with-store
    (server-tests-with-program "echo 'error: no such luck' >&2; exit 4"
      (todostream)
      (todostream-tests-wait todostream--down)
      (should (equal todostream--down
                     "The server ended again: error: no such luck; M-x todostream-restart starts it"))
      (should-error (todostream-add "x") :type 'user-error))
    (todostream-restart)
    (todostream-add "x")
    (todostream-tests-wait (todostream-tests-heard "Added #1 x"))))

(ert-deftest server-that-is-not-installed-is-one-clear-message ()
  (todostream-tests-with-store
    (let ((todostream-program "todostream-that-is-nowhere"))
      (should (equal (should-error (todostream) :type 'user-error)
                     '(user-error "There is no program `todostream-that-is-nowhere'; install todostream, or set `todostream-program'"))))))

(ert-deftest server-says-what-is-wrong-with-the-store ()
  (todostream-tests-with-store
    (make-directory todostream-store)
    (todostream-add "x")
    (todostream-tests-wait (todostream-tests-heard "is a folder; name a file with --store"))))

(ert-deftest server-gets-its-arguments ()
  (todostream-tests-with-store
    (let ((todostream-arguments '("--without" "undo")))
      (todostream-undo)
      (todostream-tests-wait (todostream-tests-heard "no command 'undo'")))))

(ert-deftest server-that-is-stopped-makes-nobody-wait ()
  (todostream-tests-with-store
    (todostream-tests-add "one")
    (todostream-tests-list)
    (todostream-tests-detail 1)
    (todostream-tests-set 'title (make-string 300 ?x))
    (todostream-tests-settle)
    (signal-process todostream--process 'SIGSTOP)
    (let (ticked)
      (server-tests-at-once
        (run-at-time 0 nil (lambda () (setq ticked t)))
        (todostream-tests-type "C-x C-s")
        (with-current-buffer "*todostream*" (revert-buffer))
        (dotimes (_ 300) (todostream-add (make-string 1000 ?y)))
        (goto-char (cdr (todostream--bounds 'tags)))
        (todostream-complete)
        (todostream-undo)
        (accept-process-output nil 0.01)
        (should ticked)))
    (signal-process todostream--process 'SIGCONT)
    (todostream-tests-wait (not (buffer-modified-p)))
    (todostream-tests-settle)
    (with-current-buffer "*todostream*"
      (todostream-tests-wait (= 300 (length todostream--todos))))
    (should (equal (plist-get (todostream-tests-stored 1) :title) (make-string 300 ?x)))))

(ert-deftest server-that-is-slow-is-said-to-be ()
  (todostream-tests-with-store
    (todostream-tests-list)
    (todostream-tests-settle)
    (signal-process todostream--process 'SIGSTOP)
    (todostream-add "x")
    (todostream-tests-wait (string-match-p ", waiting for the server" (todostream--list-header)))
    (signal-process todostream--process 'SIGCONT)
    (todostream-tests-settle)
    (should-not (string-match-p "waiting" (todostream--list-header)))))

(ert-deftest server-that-talks-nonsense-harms-nobody ()
  (todostream-tests-with-store
    (server-tests-with-program "
say() { printf 'Content-Length: %d\\r\\n\\r\\n%s' ${#1} \"$1\"; }
say '{\"jsonrpc\":\"2.0\",\"method\":\"what/is/this\",\"params\":[]}'
say '{\"jsonrpc\":\"2.0\",\"method\":\"todo/changed\",\"params\":{\"ids\":5}}'
say '{\"jsonrpc\":\"2.0\",\"method\":\"notice\",\"params\":{\"level\":\"error\",\"message\":\"still here\"}}'
cat >/dev/null"
      (todostream)
      (todostream-tests-wait (todostream-tests-heard "still here")))))

(ert-deftest server-notices-are-shown-as-errors ()
  (todostream-tests-with-store
    (todostream-tests-list)
    (todostream-tests-add "one")
    (todostream-tests-wait todostream--todos)
    (rename-file todostream-store (concat todostream-store ".away"))
    (todostream-tests-wait (todostream-tests-heard "is missing\\|was deleted, moved or replaced"))))

(defun server-tests-other-emacs (form)
  "Run FORM in another Emacs, which ends then; return what it prints."
  (with-temp-buffer
    (let ((status (call-process
                   (expand-file-name invocation-name invocation-directory) nil t nil
                   "-Q" "--batch" "-L" (file-name-directory (locate-library "todostream"))
                   "-l" "todostream"
                   "--eval" (prin1-to-string `(progn (setq todostream-store ,todostream-store) ,form)))))
      (unless (equal status 0) (ert-fail (list status (buffer-string))))
      (buffer-string))))

(defun server-tests-wait-for-the-end (text)
  "Wait until the process that TEXT names is gone."
  (should (string-match "pid=\\([0-9]+\\)" text))
  (let ((process (string-to-number (match-string 1 text))))
    (todostream-tests-wait (not (process-attributes process)))))

(ert-deftest server-is-started-by-nothing-but-its-use ()
  (todostream-tests-with-store
    (should (equal (server-tests-other-emacs
                    '(message "%s" (list (featurep 'jsonrpc) (process-list))))
                   "(nil nil)\n"))))

(ert-deftest server-ends-with-emacs ()
  (todostream-tests-with-store
    (let ((said (server-tests-other-emacs
                 '(progn (todostream)
                         (while (not todostream--counts) (accept-process-output nil 0.02))
                         (message "pid=%d" (process-id todostream--process))))))
      (server-tests-wait-for-the-end said)
      (should-not (string-match-p "exited with status [1-9]" said)))))

(ert-deftest server-that-is-stopped-does-not-keep-emacs-from-ending ()
  (todostream-tests-with-store
    (let* ((begin (float-time))
           (said (server-tests-other-emacs
                  '(progn (todostream)
                          (while (not todostream--counts) (accept-process-output nil 0.02))
                          (signal-process todostream--process 'SIGSTOP)
                          (message "pid=%d" (process-id todostream--process))))))
      (server-tests-wait-for-the-end said)
      (should (< (- (float-time) begin) 20)))))

(defun server-tests-on-a-terminal (form)
  "Run FORM in another Emacs with a list, on a terminal.
Return the processes: who has the terminal, that Emacs, and its server."
  (let* ((told (concat todostream-store "-told"))
         (emacs (expand-file-name invocation-name invocation-directory))
         (inner `(list ,emacs "-Q" "-nw"
                       "-L" ,(file-name-directory (locate-library "todostream"))
                       "-l" "todostream" "--eval"
                       ,(prin1-to-string
                         `(progn
                            (setq todostream-store ,todostream-store)
                            (todostream)
                            (while (not todostream--counts) (accept-process-output nil 0.02))
                            ,form
                            (run-at-time
                             0 nil
                             (lambda ()
                               (write-region (format "(%d %d)" (emacs-pid)
                                                     (process-id todostream--process))
                                             nil ,(concat told "~") nil 'silent)
                               (rename-file ,(concat told "~") ,told)))))))
         (outer (prin1-to-string
                 `(let ((process-environment (cons "TERM=vt100" process-environment)))
                    (make-process :name "inner" :connection-type 'pty :command ,inner)
                    (while t (accept-process-output nil 1)))))
         (holder (start-process "outer" nil emacs "-Q" "--batch" "--eval" outer)))
    (set-process-query-on-exit-flag holder nil)
    (todostream-tests-wait (file-exists-p told))
    (cons (process-id holder)
          (with-temp-buffer
            (insert-file-contents told)
            (delete-file told)
            (read (current-buffer))))))

(defun server-tests-gone-p (process)
  "Return non-nil if PROCESS, a number, has ended."
  (member (alist-get 'state (process-attributes process)) '(nil "Z")))

(defun server-tests-end-on-a-terminal (signal form)
  "End an Emacs on a terminal, which has run FORM, by SIGNAL; without, by its terminal's end."
  (pcase-let ((`(,terminal ,emacs ,server) (server-tests-on-a-terminal form)))
    (unwind-protect
        (progn
          (signal-process (if signal emacs terminal) (or signal 'SIGKILL))
          (todostream-tests-wait (and (server-tests-gone-p emacs) (server-tests-gone-p server))))
      (dolist (process (list terminal emacs server)) (signal-process process 'SIGKILL)))))

(ert-deftest server-and-emacs-end-with-the-terminal ()
  (todostream-tests-with-store
    (todostream-tests-add "one")
    (dolist (signal '(nil SIGHUP SIGTERM))
      (dolist (form '(nil
                      (progn (todostream-detail "1")
                             (while (not (get-buffer "*todo #1*")) (accept-process-output nil 0.02))
                             (set-buffer "*todo #1*")
                             (insert "typed "))))
        (server-tests-end-on-a-terminal signal form)))
    (should (equal (plist-get (todostream-tests-stored 1) :title) "one"))))

(ert-deftest emacs-ends-with-the-terminal-when-the-server-has-ended-just-before ()
  (todostream-tests-with-store
    (server-tests-end-on-a-terminal
     nil '(add-hook 'kill-emacs-hook
                    (lambda () (signal-process todostream--process 'SIGKILL))))))

(ert-deftest server-stores-what-is-saved-while-emacs-ends ()
  (todostream-tests-with-store
    (todostream-tests-add "one")
    (server-tests-other-emacs
     '(progn (todostream-detail "1")
             (while (not (get-buffer "*todo #1*")) (accept-process-output nil 0.02))
             (set-buffer "*todo #1*")
             (goto-char (point-max))
             (insert "notes")
             (todostream-save)
             (save-buffers-kill-emacs t)))
    (should (equal (plist-get (todostream-tests-stored 1) :subtitle) "notes"))))

(defun server-tests-asked-at-the-end ()
  "Answer no to what Emacs asks before it ends; return the question."
  (let (asked)
    (define-key minibuffer-local-map [f12]
      (lambda () (interactive) (setq asked (minibuffer-prompt)) (insert "no") (exit-minibuffer)))
    (global-set-key [f11] (lambda ()
                            (interactive)
                            (should-not (run-hook-with-args-until-failure
                                         'kill-emacs-query-functions))))
    (todostream-tests-type "<f11> <f12>")
    asked))

(ert-deftest emacs-asks-before-it-ends-without-what-could-not-be-saved ()
  (todostream-tests-with-store
    (todostream-tests-add "one")
    (todostream-tests-detail 1)
    (todostream-tests-set 'title " ")
    (todostream-save)
    (should todostream--saving)
    (should (equal (server-tests-asked-at-the-end)
                   "*todo #1* is not saved; leave Emacs anyway? (yes or no) "))
    (should (todostream--unsaved-p))))

(ert-deftest emacs-asks-before-it-ends-without-a-title-that-is-edited ()
  (todostream-tests-with-store
    (todostream-tests-add "one")
    (todostream-tests-list)
    (todostream-tests-go 1)
    (todostream-tests-type "e")
    (should (run-hook-with-args-until-failure 'kill-emacs-query-functions))
    (todostream-tests-type "SPC more")
    (should (equal (server-tests-asked-at-the-end)
                   "*todostream* is not saved; leave Emacs anyway? (yes or no) "))
    (should (equal (todostream--edited-title) "one more"))))

;;; server-tests.el ends here
