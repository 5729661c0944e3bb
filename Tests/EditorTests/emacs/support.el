;;; support.el --- What the scenarios in Emacs share  -*- lexical-binding: t; -*-

;;; Commentary:

;; Each test has a store of its own, the real server, and the real keys:
;; `todostream-tests-type' presses them as a person does.  Nothing sleeps;
;; what takes a while is waited for by `todostream-tests-wait'.

;;; Code:

(set-language-environment "UTF-8")
(setq text-quoting-style 'grave)

(require 'ert)
(require 'ert-x)
(require 'todostream)

(defvar todostream-tests-said nil "What was shown in the echo area, the latest first.")

(defun todostream-tests-hear (format &rest arguments)
  "Note what `message' shows by FORMAT and ARGUMENTS."
  (when format (push (apply #'format-message format arguments) todostream-tests-said)))

(defmacro todostream-tests-with-store (&rest body)
  "Run BODY with an empty store and a server of its own."
  (declare (indent 0) (debug t))
  `(let* ((folder (make-temp-file "todostream" t))
          (todostream-store (expand-file-name "todos.sqlite" folder))
          (process-environment (cons (concat "TODOSTREAM_STORE=" todostream-store)
                                     process-environment))
          (inhibit-message t)
          (todostream-tests-said nil))
     (advice-add 'message :before #'todostream-tests-hear)
     (unwind-protect (save-window-excursion ,@body)
       (advice-remove 'message #'todostream-tests-hear)
       (todostream-tests-clean-up)
       (delete-directory folder t))))

(defun todostream-tests-clean-up ()
  "End the server, and kill what it was shown in."
  (todostream--leave)
  (setq todostream--connection nil todostream--down nil todostream--restarted-at nil
        todostream--waiting nil todostream--asked 0)
  (dolist (buffer (buffer-list))
    (when (string-match-p "todo" (buffer-name buffer))
      (with-current-buffer buffer
        (setq kill-buffer-query-functions nil)
        (kill-buffer)))))

(defmacro todostream-tests-wait (condition)
  "Let Emacs work until CONDITION holds; fail where it does not for 20 seconds."
  `(let ((deadline (+ (float-time)
                      (* 20 (string-to-number (or (getenv "EVENTMVVM_PATIENCE") "1"))))))
     (while (not ,condition)
       (when (> (float-time) deadline)
         (ert-fail (list "waited in vain for" ',condition
                         :said todostream-tests-said
                         :shown (buffer-substring-no-properties (point-min) (point-max)))))
       (accept-process-output nil 0.02))))

(defun todostream-tests-cli (&rest words)
  "Run the program with WORDS, as somebody else does meanwhile; return what it prints."
  (with-temp-buffer
    (let ((status (apply #'call-process "todostream" nil t nil words)))
      (unless (equal status 0) (ert-fail (list words status (buffer-string))))
      (buffer-string))))

(defun todostream-tests-add (&rest titles)
  "Add todos with TITLES, in the order of their numbers."
  (dolist (title titles) (todostream-tests-cli "add" "--" title)))

(defun todostream-tests-stored (number)
  "Return the todo NUMBER as it is stored, as a property list."
  (json-parse-string (todostream-tests-cli "--json" "show" (number-to-string number))
                     :object-type 'plist :null-object nil :false-object nil))

(defun todostream-tests-type (keys)
  "Press KEYS, as `kbd' reads them, in the selected window."
  (set-buffer (window-buffer))
  (execute-kbd-macro (kbd keys))
  (set-buffer (window-buffer)))

(defun todostream-tests-lines ()
  "Return the lines of the current buffer, without blanks at their ends."
  (mapcar #'string-trim-right
          (split-string (buffer-substring-no-properties (point-min) (point-max)) "\n" t)))

(defun todostream-tests-heard (regexp)
  "Return non-nil if something like REGEXP was shown in the echo area."
  (seq-some (lambda (text) (string-match-p regexp text)) todostream-tests-said))

(defun todostream-tests-list (&optional filter)
  "Open the list by FILTER, and wait for it."
  (todostream-list (or filter ""))
  (todostream-tests-wait todostream--rows))

(defun todostream-tests-go (number)
  "Go to the todo NUMBER in the list."
  (goto-char (point-min))
  (should (re-search-forward (format "^ *#%d " number)))
  (beginning-of-line))

(defun todostream-tests-detail (number)
  "Open the detail of the todo NUMBER."
  (todostream-detail (number-to-string number))
  (todostream-tests-wait (get-buffer (format "*todo #%d*" number)))
  (set-buffer (window-buffer))
  (todostream-tests-settle))

(defun todostream-tests-settle ()
  "Wait until everything that was asked is answered."
  (todostream-tests-wait (and (zerop todostream--asked) (null todostream--waiting))))

(defun todostream-tests-set (field text)
  "Type TEXT in place of what FIELD has."
  (let ((bounds (todostream--bounds field)))
    (delete-region (car bounds) (cdr bounds))
    (goto-char (car bounds))
    (insert text)))

(provide 'support)
;;; support.el ends here
