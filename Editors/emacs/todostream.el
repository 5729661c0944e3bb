;;; todostream.el --- Todos shared with scripts and other editors  -*- lexical-binding: t; -*-

;; Copyright (c) 2026 The todostream authors
;; SPDX-License-Identifier: MIT

;; Version: 0.2.0
;; Package-Requires: ((emacs "28.1"))
;; Keywords: calendar, tools

;;; Commentary:

;; The todos of `todostream' in Emacs: a list that follows what anybody
;; changes, and each todo in a buffer of its own that is saved like a
;; file.  It talks to `todostream serve --stdio' and never waits for it.
;;
;; To switch it on:
;;
;;     (require 'todostream)
;;
;; COMMANDS
;;
;; `todostream'           the list of what is open, by date
;; `todostream-list'      the list, filtered by words such as
;;                        --open --tag home milk
;; `todostream-add'       adds: Buy milk --due tomorrow --tag home
;; `todostream-detail'    one todo, by number, UUID, @last or @name
;; `todostream-overdue'   what is overdue; `next-error' goes through it
;; `todostream-undo'      takes back the latest step, whoever made it
;; `todostream-redo'      does it again; a prefix argument before either
;;                        takes only what was done in an editor
;; `todostream-run'       runs any line of todostream's language
;; `todostream-restart'   starts the server anew
;;
;; TAB completes options, tags, projects and dates where words are asked
;; for.
;;
;; KEYS IN THE LIST
;;
;; a        `todostream-add'          adds a todo
;; x, SPC   `todostream-toggle'       completes, or opens again
;; e        `todostream-edit-title'   edits the title on its line
;; d, k     `todostream-delete'       deletes; more than three after asking
;; u        `todostream-undo'         takes back
;; U        `todostream-redo'         does again
;; /        `todostream-filter'       changes the filter
;; RET      `todostream-open'         opens the detail
;; n, p     `next-line', `previous-line'
;; g        `revert-buffer'           asks the server anew
;; o        `todostream-overdue'      lists what is overdue
;; q        `quit-window'             puts the list away
;; ?        `describe-mode'           shows the keys
;;
;; What toggles and deletes takes the region, or as many lines as a
;; prefix argument says.  The title that is edited on its line is saved
;; by RET or C-c C-c (`todostream-title-save') and given up by C-c C-k
;; (`todostream-title-abort').
;;
;; KEYS IN THE DETAIL
;;
;; C-x C-s, C-c C-c   `todostream-save'      saves what you changed
;; C-c C-k            `revert-buffer'        takes what is stored instead
;; TAB, C-M-i         `todostream-complete'  completes a tag, project or date
;;
;; The fields are lines with a label, the notes stand below.  Tags are
;; separated by blanks, and quoted where they contain some: home 'two
;; words'.  Saving sends only the fields that you changed, so it never
;; undoes what somebody else did meanwhile.  Where both changed the same
;; field, your text stays as it is and both values are shown behind it;
;; saving a second time then overwrites, C-c C-k takes theirs.  The same
;; holds for a title that is edited on its line.
;;
;; OPTIONS
;;
;; `todostream-program'         the program
;; `todostream-arguments'       its further arguments
;; `todostream-store'           the file of the todos
;; `todostream-default-filter'  what `todostream' filters by
;; `todostream-limit'           how many todos the list shows, unless
;;                              its filter has a --limit
;; `todostream-title-width'     columns for a title in the list
;;
;; Keys are changed in `todostream-list-mode-map',
;; `todostream-title-map', `todostream-detail-mode-map' and
;; `todostream-prompt-map'.

;;; Code:

(require 'subr-x)

;; It is loaded with the first server: an init file is not to wait for it.
(declare-function make-instance "eieio" (class &rest slots))
(declare-function jsonrpc-async-request "jsonrpc" (connection method params &rest args))
(declare-function jsonrpc-notify "jsonrpc" (connection method params))
(declare-function jsonrpc-events-buffer "jsonrpc" (connection))
(declare-function jsonrpc-stderr-buffer "jsonrpc" (connection))

;;;; Options

(defgroup todostream nil
  "Todos shared with scripts and other editors."
  :group 'applications
  :prefix "todostream-")

(defcustom todostream-program "todostream"
  "The program, by name or by file name."
  :type 'string)

(defcustom todostream-arguments nil
  "Further arguments of the program, such as (\"--without\" \"analytics\")."
  :type '(repeat string))

(defcustom todostream-store nil
  "The file of the todos; nil for the one that the program finds by itself."
  :type '(choice (const :tag "The program's own" nil) file))

(defcustom todostream-default-filter ""
  "The first filter of `todostream', in todostream's words, such as \"--open\"."
  :type 'string)

(defcustom todostream-limit 1000
  "How many todos the list shows, where its filter has no --limit."
  :type 'natnum)

(defcustom todostream-title-width 40
  "How many columns a title has in the list."
  :type 'natnum)

(defface todostream-number '((t :inherit shadow)) "Numbers of todos.")
(defface todostream-done '((t :inherit shadow :strike-through t)) "Titles of completed todos.")
(defface todostream-high '((t :inherit error)) "The mark of what matters most.")
(defface todostream-due '((t :inherit font-lock-constant-face)) "Dates.")
(defface todostream-overdue '((t :inherit error)) "Dates that have passed.")
(defface todostream-tag '((t :inherit font-lock-keyword-face)) "Tags.")
(defface todostream-project '((t :inherit font-lock-type-face)) "Projects.")
(defface todostream-label '((t :inherit font-lock-keyword-face)) "Labels of fields.")
(defface todostream-mark '((t :inherit error)) "What is wrong with a field.")

;;;; What a list and a detail hold

(defvar-local todostream--filter "" "What the list is filtered by.")
(defvar-local todostream--todos nil "The todos of the list.")
(defvar-local todostream--cut-off nil "Whether there are more todos than the list shows.")
(defvar-local todostream--rows nil "What the list shows: numbers and lines.")
(defvar-local todostream--refreshing nil
  "Whether the list is asked for: t, or then `again', or by another filter.")
(defvar-local todostream--edit nil "The title that is edited: `:todo', `:overlay', `:saving'.")

(defvar-local todostream--todo nil "The todo as it was read, which edits are compared with.")
(defvar-local todostream--saving nil "Whether the detail is being saved.")
(defvar-local todostream--changed-by nil "Who changed the todo while it is edited here.")

;;;; What people read

(defun todostream--visible (text)
  "Return TEXT with escapes for control and bidirectional characters."
  (let ((hidden "[\0-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]"))
    (if (not (string-match-p hidden text)) text
      (replace-regexp-in-string
       hidden
       (lambda (character)
         (propertize (format "\\u{%X}" (aref character 0)) 'face 'escape-glyph))
       text t t))))

(defun todostream--short (text)
  "Return TEXT visibly, and cut where it is too long for one line."
  (if (string-empty-p text) "nothing"
    (truncate-string-to-width (todostream--visible text) 200 nil nil "…")))

(defun todostream--complain (text)
  "Show TEXT as an error, without interrupting anything."
  (message "%s" (propertize text 'face 'error)))

(defun todostream--show-error (error)
  "Show the ERROR of a request."
  (todostream--complain (todostream--error-text error)))

(defun todostream--error-text (error)
  "Return the text of the ERROR of a request, for a person."
  (todostream--visible (plist-get error :message)))

;;;; The server

(defvar todostream--connection nil "The connection to the server, or nil.")
(defvar todostream--process nil "The server's process.")
(defvar todostream--waiting nil "Requests that are not sent yet, the next one first.")
(defvar todostream--asked 0 "How many requests are sent and not answered.")
(defvar todostream--answered-at 0 "When the server last answered, or had nothing to do.")
(defvar todostream--restarted-at nil "When the server was last started because it had ended.")
(defvar todostream--down nil "Why there is no server, until one is asked for; or nil.")
(defvar todostream--counts nil "How many todos are open and overdue.")
(defvar todostream--completion nil "What was completed last: a line, and its answer.")

(defconst todostream--most-asked 8
  "How many requests are sent before one of them is answered.
Emacs waits where it writes into a full pipe, as that of a server that
is stopped would soon be; the others are kept back here instead.")

(defun todostream--request (method params answered &optional failed)
  "Ask the server for METHOD with PARAMS, and go on at once.
Later ANSWERED is called with the result, or FAILED with the error, in
the buffer that is current now.  Without FAILED the error is shown."
  (todostream--check params)
  (cond (todostream--down (user-error "%s" todostream--down))
        ((not todostream--connection) (todostream--start)))
  (let ((here (current-buffer))
        (failed (or failed #'todostream--show-error)))
    (unless (todostream--busy-p) (setq todostream--answered-at (float-time)))
    (setq todostream--waiting
          (append todostream--waiting
                  (list (list method params
                              (lambda (result)
                                (when (buffer-live-p here)
                                  (with-current-buffer here (funcall answered result))))
                              (lambda (error)
                                (if (buffer-live-p here)
                                    (with-current-buffer here (funcall failed error))
                                  (todostream--show-error error))))))))
  (todostream--flush))

(defun todostream--busy-p ()
  "Return non-nil if something was asked for and is not answered."
  (or todostream--waiting (> todostream--asked 0)))

(defun todostream--check (params)
  "Refuse PARAMS that are no JSON, or too much of it."
  (let ((json (condition-case nil
                  (json-serialize params :null-object nil :false-object :json-false)
                (error (user-error "There are bytes in the text that are no UTF-8")))))
    (when (let ((case-fold-search nil))
            (string-match-p "[^\\]\\(?:\\\\\\\\\\)*\\\\u0000" json))
      (user-error "There is a character NUL in the text"))
    (when (> (string-bytes json) 16000000)
      (user-error "The text is longer than todostream takes"))))

(defun todostream--flush ()
  "Send the requests that wait, as many as may be under way."
  (while (and todostream--waiting
              (< todostream--asked todostream--most-asked)
              todostream--connection
              (eq (process-status todostream--process) 'run))
    (apply #'todostream--send (pop todostream--waiting))))

(defun todostream--send (method params answered failed)
  "Send the request METHOD with PARAMS; ANSWERED or FAILED is called later."
  (let* ((connection todostream--connection)
         (settle (lambda (then value)
                   (todostream--later #'todostream--settle connection then value)))
         (fail (lambda (error)
                 (funcall settle failed
                          (if (not (eq (plist-get error :code) -1)) error
                            (todostream--ended-error "The server ended before it answered %s"
                                                     method))))))
    (setq todostream--asked (1+ todostream--asked))
    (condition-case nil
        (jsonrpc-async-request connection method params
                               :timeout nil
                               :success-fn (lambda (result) (funcall settle answered result))
                               :error-fn fail)
      (error
       (if (not (eq (process-status todostream--process) 'stop))
           (funcall fail '(:code -1))
         (setq todostream--asked (1- todostream--asked))
         (push (list method params answered failed) todostream--waiting))))))

(defun todostream--settle (connection then value)
  "A request on CONNECTION is settled: call THEN with VALUE, and send the next."
  (when (eq connection todostream--connection)
    (setq todostream--asked (max 0 (1- todostream--asked))
          todostream--answered-at (float-time)))
  (todostream--guarded then value)
  (todostream--flush))

(defun todostream--later (function &rest arguments)
  "Call FUNCTION with ARGUMENTS as soon as what has arrived is read.
While `jsonrpc' reads, nothing may wait or write: it would lose its place."
  (apply #'run-at-time 0 nil #'todostream--guarded function arguments))

(defun todostream--ended-error (format method)
  "Return the error of METHOD that no server answered, by FORMAT."
  (list :code -1 :message (format format method)))

(defun todostream--guarded (function &rest arguments)
  "Call FUNCTION with ARGUMENTS; an error in it must not stop the connection."
  (condition-case-unless-debug problem
      (apply function arguments)
    (error (todostream--complain (error-message-string problem)))))

(defun todostream--start ()
  "Start the server, and begin the session."
  (let ((program (executable-find todostream-program))
        (default-directory "/"))
    (unless program
      (user-error "There is no program `%s'; install todostream, or set `todostream-program'"
                  todostream-program))
    (require 'jsonrpc)
    ;; `jsonrpc' would kill it between starting the process and watching it,
    ;; and a process that ends right then would end unnoticed.
    (when-let ((old (get-buffer " *todostream stderr*"))) (kill-buffer old))
    (setq todostream--asked 0 todostream--counts nil todostream--completion nil)
    (setq todostream--connection
          (condition-case nil
              (todostream--connect program :events-buffer-config '(:size 0))
            ;; Emacs 29 and before.
            (invalid-slot-name
             (todostream--connect program :events-buffer-scrollback-size 0))))
    ;; A server that was stopped and goes on gets what has waited.
    (add-function :after (process-sentinel todostream--process)
                  (lambda (&rest _) (todostream--flush)))
    (when-let ((pipe (get-buffer-process (jsonrpc-stderr-buffer todostream--connection))))
      (set-process-sentinel pipe #'ignore)
      (set-process-query-on-exit-flag pipe nil))
    (todostream--send 'initialize
                      (list :processId (emacs-pid)
                            :clientInfo (list :name "emacs" :version emacs-version))
                      #'ignore #'ignore)
    (todostream--send 'state/subscribe '(:name "todo/counts") #'ignore #'ignore)))

(defun todostream--connect (program &rest log)
  "Return a connection to PROGRAM as a server, by LOG without a log."
  (apply
   #'make-instance 'jsonrpc-process-connection
   :name "todostream"
   :notification-dispatcher
   (lambda (connection method params)
     (todostream--later #'todostream--notified connection method params))
   :on-shutdown (lambda (connection) (todostream--later #'todostream--ended connection))
   :process
   (lambda ()
     (setq todostream--process
           (make-process
            :name "todostream"
            :command `(,program
                       ,@(when todostream-store
                           (list "--store" (expand-file-name todostream-store "~")))
                       ,@todostream-arguments "--yes" "serve" "--stdio")
            :connection-type 'pipe
            :coding 'utf-8-emacs-unix
            :noquery t
            :stderr (get-buffer-create "*todostream stderr*"))))
   log))

(defun todostream--ended (connection)
  "The server of CONNECTION has ended: start it again, but only once in a while."
  (let ((reason (todostream--last-words connection)))
    (kill-buffer (jsonrpc-events-buffer connection))
    (when (eq connection todostream--connection)
      (setq todostream--connection nil)
      (if (and todostream--restarted-at (< (- (float-time) todostream--restarted-at) 10))
          (todostream--give-up (format "The server ended again%s" reason))
        (setq todostream--restarted-at (float-time))
        (condition-case problem
            (progn
              (todostream--start)
              (todostream--complain (format "The server ended%s; it is started again" reason))
              (todostream--flush)
              (todostream--refresh-all))
          (error (todostream--give-up (error-message-string problem))))))))

(defun todostream--last-words (connection)
  "Return what the server of CONNECTION wrote last about its end, behind a colon."
  (let ((buffer (jsonrpc-stderr-buffer connection)))
    (when-let ((pipe (and (buffer-live-p buffer) (get-buffer-process buffer))))
      (accept-process-output pipe 0.1))
    ;; While that waited, the buffer may have been killed.
    (if (not (buffer-live-p buffer)) ""
      (with-current-buffer buffer
        (goto-char (point-max))
        (skip-chars-backward " \n")
        (let ((line (buffer-substring-no-properties (line-beginning-position) (point))))
          (if (string-blank-p line) "" (concat ": " (todostream--short line))))))))

(defun todostream--give-up (reason)
  "Stay without a server, for REASON; what waits for one fails."
  (setq todostream--down (concat reason "; M-x todostream-restart starts it"))
  (let ((waiting todostream--waiting))
    (setq todostream--waiting nil)
    (pcase-dolist (`(,method ,_ ,_ ,failed) waiting)
      (todostream--guarded failed (todostream--ended-error "Nobody answers %s" method))))
  (todostream--complain todostream--down)
  (force-mode-line-update t))

;;;###autoload
(defun todostream-restart ()
  "Start the server anew; what it had not answered yet fails."
  (interactive)
  (let ((process todostream--process))
    (setq todostream--connection nil todostream--down nil todostream--restarted-at nil)
    (when (process-live-p process) (delete-process process))
    (todostream--start)
    (todostream--flush)
    (todostream--refresh-all)
    (message "The server is started")))

(defun todostream--refresh-all ()
  "Ask for whatever is shown."
  (todostream--buffers
   (lambda ()
     (if (derived-mode-p 'todostream-list-mode) (todostream--list-refresh)
       (todostream--detail-refresh nil)))))

(defun todostream--buffers (test)
  "Call TEST in each list and each detail, and return those that pass it."
  (seq-filter (lambda (buffer)
                (with-current-buffer buffer
                  (and (derived-mode-p 'todostream-list-mode 'todostream-detail-mode)
                       (funcall test))))
              (buffer-list)))

(defun todostream--notified (connection method params)
  "The server of CONNECTION has told METHOD with PARAMS, unasked."
  (pcase (and (eq connection todostream--connection) method)
    ('todo/changed
     (setq todostream--completion nil)
     (let ((ids (plist-get params :ids)))
       (todostream--buffers
        (lambda ()
          (cond ((derived-mode-p 'todostream-list-mode) (todostream--list-refresh))
                ((or (null ids) (seq-contains-p ids (plist-get todostream--todo :id)))
                 (todostream--detail-changed params)))))))
    ('state/changed
     (when (equal (plist-get params :name) "todo/counts")
       (setq todostream--counts (plist-get params :value))
       (force-mode-line-update t)))
    ('notice (todostream--complain (todostream--visible (plist-get params :message))))))

(defun todostream--leave ()
  "End the server with Emacs, and wait a second for it at most.
A signal that ends Emacs leads here, too.  Emacs then notices no end of a
child, and reading what that wrote would read the end of it for ever; but
what it complains on is a pipe whose end is noticed, and alone is read."
  (when (process-live-p todostream--process)
    (let* ((connection todostream--connection)
           (errors (and connection (jsonrpc-stderr-buffer connection)))
           (pipe (and (buffer-live-p errors) (get-buffer-process errors)))
           (deadline (+ (float-time) 1)))
      (setq todostream--connection nil
            todostream--down "The server is ending")
      (ignore-errors
        (jsonrpc-async-request connection 'shutdown nil :timeout nil :success-fn #'ignore)
        (jsonrpc-notify connection 'exit nil)
        (while (and (process-live-p pipe) (< (float-time) deadline))
          (accept-process-output pipe 0.05 nil 0)))
      (when (process-live-p pipe)
        (signal-process todostream--process 'SIGKILL)))))

(defun todostream--may-leave ()
  "Wait two seconds at most for what was asked; ask where a save fails."
  (let ((deadline (+ (float-time) 2))
        (saving (todostream--buffers #'todostream--saving-p)))
    (while (and (< (float-time) deadline)
                (or (todostream--buffers #'todostream--saving-p)
                    (and todostream--connection (todostream--busy-p))))
      (accept-process-output nil 0.05))
    ;; Emacs itself has asked about details; those here are to be saved, and were not.
    (let ((lost (todostream--buffers
                 (lambda ()
                   (and (todostream--unsaved-p)
                        (or todostream--edit (memq (current-buffer) saving)))))))
      (or (null lost)
          (yes-or-no-p (format "%s is not saved; leave Emacs anyway? "
                               (mapconcat #'buffer-name lost ", ")))))))

(add-hook 'kill-emacs-hook #'todostream--leave)
(add-hook 'kill-emacs-query-functions #'todostream--may-leave)

;;;; Words

(defun todostream--quote (word)
  "Return WORD as it is written in todostream's language."
  (if (or (string-empty-p word) (string-match-p "[[:space:]'\"\\]" word))
      (concat "'" (replace-regexp-in-string "'" "'\\''" word t t) "'")
    word))

(defun todostream--words (text)
  "Split TEXT into words as todostream's language does.
Return a list of the words, where the last of them begins or would
begin, and whether a quote or a backslash in it is still open."
  (let ((start 0) (index 0) words word quote escaped)
    (while (< index (length text))
      (let ((character (aref text index)))
        (cond (escaped (push character word) (setq escaped nil))
              ((eq character quote) (setq quote nil))
              ((and (eq character ?\\) (not (eq quote ?')))
               (setq escaped t word (or word (list ""))))
              (quote (push character word))
              ((memq character '(?' ?\")) (setq quote character word (or word (list ""))))
              ((memq character '(?\s ?\t ?\n))
               (when word (push word words))
               (setq word nil start (1+ index)))
              (t (push character word))))
      (setq index (1+ index)))
    (when word (push word words))
    (list (mapcar (lambda (word) (apply #'string (seq-filter #'characterp (reverse word))))
                  (reverse words))
          start (or escaped (and quote t)))))

;;;; Completion

(defvar-local todostream--prefix nil "In a prompt, what the line has before what is typed.")

(defvar todostream-prompt-map
  (let ((map (make-sparse-keymap)))
    (set-keymap-parent map minibuffer-local-map)
    (define-key map "\t" #'todostream-complete)
    map)
  "Keys where todostream's words are asked for.")

(defvar todostream--history nil "What was entered where words are asked for.")

(defun todostream--read (prompt prefix &optional initial)
  "Ask with PROMPT for words that follow PREFIX; INITIAL stands there at first."
  (minibuffer-with-setup-hook
      (lambda ()
        (setq todostream--prefix prefix)
        (add-hook 'completion-at-point-functions #'todostream-completion-at-point nil t))
    (read-from-minibuffer prompt initial todostream-prompt-map nil 'todostream--history)))

(defun todostream--completion-context ()
  "Return the line up to point for the server, or nil where nothing completes.
The second value is where what the answer replaces begins, if the answer
does not say it; such a word is shown without its quotes."
  (cond (todostream--prefix
         (list (concat todostream--prefix
                       (buffer-substring-no-properties (minibuffer-prompt-end) (point)))))
        ((derived-mode-p 'todostream-detail-mode)
         (let* ((field (todostream--field-at-point))
                (start (car (todostream--bounds field)))
                (text (buffer-substring-no-properties start (max start (point))))
                (line (format "edit %d --" (plist-get todostream--todo :id))))
           (pcase field
             ('tags (list (concat line "tag "
                                (substring text (nth 1 (todostream--words text))))))
             ((or 'project 'due 'priority)
              (list (format "%s%s %s" line field
                            (replace-regexp-in-string "[[:space:]'\"\\#]" "\\\\\\&" text))
                    start)))))))

(defun todostream--candidates (line then)
  "Call THEN with the server's answer to how LINE may end, once it is there."
  (if (equal line (car todostream--completion))
      (funcall then (cdr todostream--completion))
    (todostream--request 'line/complete (list :line line)
                         (lambda (answer)
                           (setq todostream--completion (cons line answer))
                           (funcall then answer)))))

(defun todostream--completion-data (context answer)
  "Return start, end and table of the server's ANSWER to CONTEXT, and more."
  (pcase-let ((`(,line ,start) context))
    (let ((keep (plist-get answer :keep))
          (summaries (mapcar (lambda (candidate)
                               (let ((word (plist-get candidate :word)))
                                 (cons (if start (caar (todostream--words word)) word)
                                       (plist-get candidate :summary))))
                             (plist-get answer :candidates))))
      (when (and summaries (string-prefix-p keep line))
        (list (or start (- (point) (- (length line) (length keep))))
              (point)
              (lambda (_string predicate action)
                (if (eq action 'metadata) '(metadata (category . todostream))
                  (complete-with-action action (mapcar #'car summaries) "" predicate)))
              :annotation-function
              (lambda (word)
                (concat "  " (cdr (assoc (substring-no-properties word) summaries)))))))))

(defun todostream-complete ()
  "Complete the word before point from what is in the store."
  (interactive)
  (let ((context (todostream--completion-context))
        (place (list (current-buffer) (point) (buffer-chars-modified-tick))))
    (if (not context)
        (if (derived-mode-p 'todostream-detail-mode)
            (call-interactively #'indent-for-tab-command)
          (user-error "There is nothing to complete here"))
      (todostream--candidates
       (car context)
       (lambda (answer)
         (when (equal place (list (window-buffer) (point) (buffer-chars-modified-tick)))
           (let* ((data (todostream--completion-data context answer))
                  (completion-extra-properties (nthcdr 3 data)))
             (if data (completion-in-region (nth 0 data) (nth 1 data) (nth 2 data))
               (todostream--complain "Nothing completes that")))))))))

(defun todostream-completion-at-point ()
  "Complete from what the server has answered already; else ask, for the next time.
A function for `completion-at-point-functions'."
  (when-let ((context (todostream--completion-context)))
    (if (equal (car context) (car todostream--completion))
        (todostream--completion-data context (cdr todostream--completion))
      (unless todostream--down
        (todostream--candidates (car context) #'ignore))
      nil)))

(defun todostream--try-completion (string table predicate point)
  "Complete STRING by TABLE and PREDICATE; POINT is at its end.
The server has chosen the candidates: quotes are no reason to refuse one."
  (let* ((all (all-completions "" table predicate))
         (common (if (cdr all) (try-completion "" all) (car all))))
    (cond ((null all) nil)
          ((and (null (cdr all)) (equal common string)) t)
          ((or (null (cdr all)) (string-prefix-p string common)) (cons common (length common)))
          (t (cons string point)))))

(defun todostream--all-completions (_string table predicate _point)
  "Return all candidates of TABLE that fit PREDICATE."
  (all-completions "" table predicate))

(add-to-list 'completion-styles-alist
             '(todostream todostream--try-completion todostream--all-completions
                          "What the server has chosen."))
(add-to-list 'completion-category-defaults '(todostream (styles todostream)))

;;;; The list

(defvar todostream-list-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map "a" #'todostream-add)
    (define-key map "x" #'todostream-toggle)
    (define-key map " " #'todostream-toggle)
    (define-key map "e" #'todostream-edit-title)
    (define-key map "d" #'todostream-delete)
    (define-key map "k" #'todostream-delete)
    (define-key map "u" #'todostream-undo)
    (define-key map "U" #'todostream-redo)
    (define-key map "/" #'todostream-filter)
    (define-key map "\r" #'todostream-open)
    (define-key map "n" #'next-line)
    (define-key map "p" #'previous-line)
    (define-key map "o" #'todostream-overdue)
    map)
  "Keys in the list.")

(define-derived-mode todostream-list-mode special-mode "Todos"
  "A list of todos that follows what anybody changes.

\\{todostream-list-mode-map}"
  (setq truncate-lines t
        bidi-paragraph-direction 'left-to-right
        buffer-undo-list t
        header-line-format '((:eval (todostream--list-header)))
        next-error-function #'todostream--next-error)
  (setq-local revert-buffer-function (lambda (&rest _) (todostream--list-refresh)))
  (add-hook 'kill-buffer-query-functions #'todostream--may-kill nil t))

;;;###autoload
(defun todostream ()
  "Show the list of todos."
  (interactive)
  (todostream-list todostream-default-filter))

;;;###autoload
(defun todostream-list (filter)
  "Show the list of todos that pass FILTER.
It is written in todostream's words, such as: --open --tag home milk."
  (interactive (list (todostream--read "List: " "list ")))
  (todostream--show-list "*todostream*" filter))

;;;###autoload
(defun todostream-overdue ()
  "Show what is overdue; `next-error' is the way from one to the next."
  (interactive)
  (todostream--show-list "*todostream overdue*" "--open --due-before today --sort due"))

(defun todostream--show-list (name filter)
  "Show the list NAME by FILTER."
  (let ((buffer (get-buffer-create name)))
    (with-current-buffer buffer
      (unless (derived-mode-p 'todostream-list-mode) (todostream-list-mode))
      (todostream--list-refresh filter))
    (pop-to-buffer-same-window buffer)
    (setq next-error-last-buffer buffer)))

(defun todostream-filter (filter)
  "Let the list show what passes FILTER."
  (interactive
   (list (todostream--read "Filter: " "list "
                           (unless (string-empty-p todostream--filter)
                             (concat todostream--filter " ")))))
  (todostream--list-refresh filter))

(defun todostream--list-refresh (&optional filter)
  "Ask for the list, once at a time, by FILTER or as before.
A filter that the server refuses leaves the list as it is."
  (if todostream--refreshing
      (setq todostream--refreshing
            (or filter (if (stringp todostream--refreshing) todostream--refreshing 'again)))
    (let* ((words (string-trim (or filter todostream--filter)))
           (limit (unless (string-match-p "--limit" words) (max 1 todostream-limit))))
      (todostream--request
       'line/run (list :line (concat "list " (when limit (format "--limit %d " (1+ limit))) words))
       (lambda (answer)
         (let ((todos (append (plist-get answer :value) nil)))
           (setq todostream--filter words
                 todostream--cut-off (and limit (> (length todos) limit)))
           (todostream--list-draw (if limit (seq-take todos limit) todos)))
         (todostream--list-refreshed))
       (lambda (error)
         (unless (eq (plist-get error :code) -1) (todostream--show-error error))
         (todostream--list-refreshed)))
      (setq todostream--refreshing t))))

(defun todostream--list-refreshed ()
  "The list was asked for; ask again, if that was wanted meanwhile."
  (let ((next todostream--refreshing))
    (setq todostream--refreshing nil)
    (unless (or (eq next t) todostream--down)
      (todostream--list-refresh (and (stringp next) next)))))

(defun todostream--list-header ()
  "Return the line above the list."
  (let ((text (cond
               (todostream--edit "Editing a title: RET saves, C-c C-k gives up")
               (todostream--down todostream--down)
               (t (concat (if (string-empty-p todostream--filter) "Todos" todostream--filter)
                          (format "  %d shown" (length todostream--todos))
                          (when todostream--cut-off " (there are more)")
                          (when-let ((counts todostream--counts))
                            (format ", %d open, %d overdue"
                                    (plist-get counts :open) (plist-get counts :overdue)))
                          (when (todostream--slow-p) ", waiting for the server"))))))
    (concat " " (replace-regexp-in-string "%" "%%" (todostream--visible text) t t))))

(defun todostream--slow-p ()
  "Return non-nil if the server has not answered for a second."
  (and (todostream--busy-p) (> (- (float-time) todostream--answered-at) 1)))

;;;;; Rows

(defun todostream--make-rows (todos)
  "Return the rows of TODOS: their numbers and lines."
  (if (null todos)
      (list (cons nil (propertize "Nothing here; a adds a todo.\n" 'face 'shadow)))
    (let ((number (todostream--widest #'todostream--number todos))
          (due (todostream--widest #'todostream--date todos))
          (today (format-time-string "%F")))
      (mapcar (lambda (todo)
                (cons (plist-get todo :id) (todostream--line todo number due today)))
              todos))))

(defconst todostream--weekdays ["Sun" "Mon" "Tue" "Wed" "Thu" "Fri" "Sat"])
(defconst todostream--months
  ["Jan" "Feb" "Mar" "Apr" "May" "Jun" "Jul" "Aug" "Sep" "Oct" "Nov" "Dec"])

(defun todostream--date (todo)
  "Return the date of TODO as people say it; empty if it has none.
It is `today', `tomorrow 09:00' or `Fri 4 Dec', with its year if that is
another."
  (let ((due (plist-get todo :due)))
    (if (not due) ""
      (pcase-let* ((`(,year ,month ,day)
                    (mapcar #'string-to-number (split-string (substring due 0 10) "-")))
                   (at (encode-time (list 0 0 12 day month year nil -1 nil)))
                   (days (- (time-to-days at) (time-to-days nil)))
                   (time (if (> (length due) 10) (concat " " (substring due 11)) "")))
        (concat
         (pcase days
           (-1 "yesterday") (0 "today") (1 "tomorrow")
           (_ (concat
               (format "%s %d %s" (aref todostream--weekdays (decoded-time-weekday (decode-time at)))
                       day (aref todostream--months (1- month)))
               (unless (= year (decoded-time-year (decode-time))) (format " %d" year)))))
         time)))))

(defun todostream--number (todo)
  "Return the number of TODO as people write it."
  (format "#%d" (plist-get todo :id)))

(defun todostream--widest (function todos)
  "Return the length of the longest result of FUNCTION for TODOS."
  (seq-max (mapcar (lambda (todo) (length (funcall function todo))) todos)))

(defun todostream--line (todo number-width due-width today)
  "Return the line of TODO.
Its number has NUMBER-WIDTH columns, its date DUE-WIDTH; what was due
before TODAY is overdue."
  (let* ((id (plist-get todo :id))
         (done (eq (plist-get todo :complete) t))
         (due (todostream--date todo))
         (late (and (not done) (string-lessp (or (plist-get todo :due) today) today)))
         (title-column (+ number-width 7))
         (title-width (max 10 todostream-title-width))
         (due-column (+ title-column title-width 1))
         (tail-column (+ due-column due-width (if (zerop due-width) 0 1))))
    (propertize
     (concat
      (propertize (string-pad (todostream--number todo) number-width nil t)
                  'face 'todostream-number)
      (cond ((eq (plist-get todo :deleted) t) " [-] ") (done " [x] ") (t " [ ] "))
      (if (equal (plist-get todo :priority) "high")
          (propertize "! " 'face 'todostream-high)
        "  ")
      (propertize (todostream--cut (plist-get todo :title) title-width) 'todostream-title t
                  'face (if done 'todostream-done 'default))
      (todostream--space due-column)
      (propertize due 'face (if late 'todostream-overdue 'todostream-due))
      (if (zerop due-width) "" (todostream--space tail-column))
      (propertize (todostream--visible
                   (mapconcat (lambda (tag) (concat "+" tag)) (plist-get todo :tags) " "))
                  'face 'todostream-tag)
      (when-let ((project (plist-get todo :project)))
        (propertize (concat "  project: " (todostream--visible project))
                    'face 'todostream-project))
      "\n")
     'todostream-id id)))

(defun todostream--cut (title width)
  "Return TITLE visibly, with WIDTH columns."
  (let* ((text (todostream--visible title))
         (rest (- width (string-width text))))
    (if (< rest 0) (truncate-string-to-width text width nil ?\s "…")
      (concat text (make-string rest ?\s)))))

(defun todostream--space (column)
  "Return a blank that reaches to COLUMN."
  (propertize " " 'display `(space :align-to ,column)))

(defun todostream--list-draw (todos)
  "Show TODOS; point stays on its todo, and a title that is edited stays as it is."
  (setq todostream--todos todos)
  (let* ((gc-cons-threshold (max gc-cons-threshold 64000000))
         (inhibit-field-text-motion t)
         (inhibit-read-only t)
         (buffer-undo-list t)
         (rows (todostream--make-rows todos))
         (old todostream--rows)
         (places (cons (todostream--place (point)) (todostream--window-places)))
         (edited (plist-get (plist-get todostream--edit :todo) :id)))
    (save-excursion
      (if (not edited)
          (todostream--replace-rows (point-min) old rows)
        (let* ((old-index (seq-position old edited (lambda (row id) (eql (car row) id))))
               (below (mapcar #'car (seq-drop old (1+ old-index))))
               (index (or (seq-position rows edited (lambda (row id) (eql (car row) id)))
                          (seq-position rows below (lambda (row below) (memql (car row) below)))
                          (length rows)))
               (row (nth old-index old))
               (before (seq-take rows index))
               (after (seq-remove (lambda (row) (eql (car row) edited)) (seq-drop rows index))))
          (todostream--replace-rows (point-min) (seq-take old old-index) before)
          (goto-char (overlay-end (plist-get todostream--edit :overlay)))
          (todostream--replace-rows (line-beginning-position 2)
                                    (seq-drop old (1+ old-index)) after)
          (setq rows (append before (list row) after)))))
    (setq todostream--rows rows)
    (put-text-property (point-min) (1+ (point-min)) 'front-sticky '(read-only))
    (unless edited (set-buffer-modified-p nil))
    (dolist (place places) (todostream--return-to place edited)))
  (force-mode-line-update))

(defun todostream--replace-rows (start old rows)
  "Replace the rows OLD that begin at START by ROWS where they differ."
  (goto-char start)
  (while (and old rows (equal (car old) (car rows)))
    (forward-line)
    (setq old (cdr old) rows (cdr rows)))
  (let ((old (reverse old)) (rows (reverse rows)))
    (while (and old rows (equal (car old) (car rows)))
      (setq old (cdr old) rows (cdr rows)))
    (delete-region (point) (line-beginning-position (1+ (length old))))
    (let ((start (point)))
      (apply #'insert (mapcar #'cdr (reverse rows)))
      (add-text-properties start (point) '(read-only t)))))

(defun todostream--place (position)
  "Return where POSITION is: in which todo, column and line, and a marker."
  (save-excursion
    (goto-char position)
    (list nil (get-text-property (line-beginning-position) 'todostream-id)
          (- (point) (line-beginning-position)) (line-number-at-pos) (copy-marker (point)))))

(defun todostream--window-places ()
  "Return the places of point in each window of the list."
  (mapcar (lambda (window) (cons window (cdr (todostream--place (window-point window)))))
          (get-buffer-window-list nil nil t)))

(defun todostream--return-to (place edited)
  "Put point back to PLACE, unless that is in the title that is EDITED."
  (pcase-let ((`(,window ,id ,column ,line ,marker) place))
    (let ((row (and id (text-property-any (point-min) (point-max) 'todostream-id id))))
      (if (and id (eql id edited))
          (goto-char marker)
        (if row (goto-char row)
          (goto-char (point-min))
          (forward-line (1- line))
          (when (and (eobp) (not (bobp))) (forward-line -1)))
        (goto-char (min (line-end-position) (+ (point) column))))
      (set-marker marker nil)
      (when window (set-window-point window (point))))))

;;;;; What is done with todos

(defun todostream--todo-here ()
  "Return the todo at point."
  (let ((id (get-text-property (line-beginning-position) 'todostream-id)))
    (or (and id (seq-find (lambda (todo) (eql (plist-get todo :id) id)) todostream--todos))
        (user-error "There is no todo here"))))

(defun todostream--todos-here (count)
  "Return the todos of the region, or of COUNT lines."
  (let* ((region (use-region-p))
         (end (and region (region-end)))
         todos)
    (save-excursion
      (when region (goto-char (region-beginning)))
      (beginning-of-line)
      (while (and (not (eobp)) (if region (< (point) end) (>= (setq count (1- count)) 0)))
        (push (todostream--todo-here) todos)
        (forward-line)))
    (setq deactivate-mark t)
    (or (nreverse todos) (user-error "There is no todo here"))))

(defun todostream--ids (todos)
  "Return the numbers of TODOS, for the server."
  (vconcat (mapcar (lambda (todo) (plist-get todo :id)) todos)))

(defun todostream-toggle (count)
  "Complete the todos of the region, or of COUNT lines; or open them again."
  (interactive "p")
  (let ((todos (todostream--todos-here count)))
    (todostream--request
     'todo/toggle
     (list :ids (todostream--ids todos)
           :expectedRevision
           (seq-max (mapcar (lambda (todo) (plist-get todo :revision)) todos)))
     #'ignore)))

(defun todostream-delete (count)
  "Delete the todos of the region, or of COUNT lines; more than three after asking."
  (interactive "p")
  (let* ((todos (todostream--todos-here count))
         (number (length todos)))
    (when (or (<= number 3) (yes-or-no-p (format "Delete %d todos? " number)))
      (todostream--request
       'todo/delete (list :ids (todostream--ids todos))
       (lambda (_)
         (message "Deleted %s" (mapconcat #'todostream--number todos ", ")))))))

;;;###autoload
(defun todostream-add (words)
  "Add a todo by WORDS, such as: Buy milk --due tomorrow --tag home."
  (interactive (list (todostream--read "Add: " "add ")))
  (todostream--run (concat "add " words)))

;;;###autoload
(defun todostream-run (line)
  "Run LINE of todostream's language, and show what it prints."
  (interactive (list (todostream--read "Run: " "")))
  (let ((words (car (todostream--words line))))
    (when (or (not (equal (car words) "delete"))
              (<= (length words) 4)
              (yes-or-no-p (format "Delete %d todos? " (1- (length words)))))
      (todostream--run line))))

;;;###autoload
(defun todostream-undo (&optional mine)
  "Take back the latest step, whoever made it.
With a prefix argument or MINE, the latest that was made in an editor."
  (interactive "P")
  (todostream--run (if mine "undo --mine" "undo")))

;;;###autoload
(defun todostream-redo (&optional mine)
  "Do again what was undone last.
With a prefix argument or MINE, what was undone last in an editor."
  (interactive "P")
  (todostream--run (if mine "redo --mine" "redo")))

(defun todostream--run (line)
  "Run LINE, and show its text: below where it is short, else in a buffer."
  (todostream--request
   'line/run (list :line line :as "text")
   (lambda (answer)
     (let ((text (string-trim-right (plist-get answer :text))))
       (display-message-or-buffer (if (string-empty-p text) "Done" text)
                                  "*todostream output*")))))

(defun todostream--next-error (count reset)
  "Open the detail COUNT todos further; RESET begins at the first."
  (when reset (goto-char (point-min)))
  (let ((last (line-number-at-pos (max (point-min) (1- (point-max)))))
        (line (+ (line-number-at-pos) (if (and reset (> count 0)) (1- count) count))))
    (unless (<= 1 line last) (user-error "There are no more todos"))
    (goto-char (point-min))
    (forward-line (1- line))
    (dolist (window (get-buffer-window-list nil nil t)) (set-window-point window (point)))
    (todostream-open)))

;;;;; Titles, edited on their lines

(defvar todostream-title-map
  (let ((map (make-sparse-keymap)))
    (define-key map "\r" #'todostream-title-save)
    (define-key map "\C-c\C-c" #'todostream-title-save)
    (define-key map "\C-c\C-k" #'todostream-title-abort)
    map)
  "Keys while a title is edited.")

(defun todostream-edit-title ()
  "Edit the title of the todo at point, on its line.
\\<todostream-title-map>
\\[todostream-title-save] saves it, \\[todostream-title-abort] gives it up."
  (interactive)
  (when todostream--edit (user-error "A title is edited already"))
  (let* ((todo (todostream--todo-here))
         (inhibit-read-only t)
         (start (text-property-any (line-beginning-position) (line-end-position)
                                   'todostream-title t)))
    (goto-char start)
    (delete-region start (line-end-position))
    (add-text-properties (line-beginning-position) start '(field todostream))
    (put-text-property (1- start) start 'rear-nonsticky t)
    (insert (todostream--flat (plist-get todo :title)))
    (let ((overlay (make-overlay start (point) nil nil t)))
      (overlay-put overlay 'face 'highlight)
      (setq todostream--edit (list :todo todo :overlay overlay :saving nil)))
    (setq buffer-undo-list nil
          buffer-read-only nil)
    (use-local-map todostream-title-map)
    (force-mode-line-update)))

(defun todostream--flat (text)
  "Return TEXT as one line."
  (replace-regexp-in-string "[\n\r]" " " text t t))

(defun todostream--edited-title ()
  "Return what stands in place of the title that is edited."
  (let ((overlay (plist-get todostream--edit :overlay)))
    (buffer-substring-no-properties (overlay-start overlay) (overlay-end overlay))))

(defun todostream--title-before ()
  "Return the title that is edited as it was read."
  (todostream--flat (plist-get (plist-get todostream--edit :todo) :title)))

(defun todostream-title-save ()
  "Save the title that is edited.
Where somebody else changed it meanwhile, both are shown and it stays
edited; to save again is to overwrite then."
  (interactive)
  (let* ((edit todostream--edit)
         (todo (plist-get edit :todo))
         (title (todostream--edited-title)))
    (cond ((plist-get edit :saving) (user-error "The title is being saved"))
          ((equal title (todostream--title-before)) (todostream-title-abort))
          (t
           (todostream--request
            'todo/edit (list :id (plist-get todo :id) :title title
                             :expectedRevision (plist-get todo :revision))
            (lambda (saved) (when (eq edit todostream--edit) (todostream--title-saved saved title)))
            (lambda (error)
              (todostream--show-error error)
              (when (eq edit todostream--edit) (todostream--title-refused error))))
           (plist-put edit :saving t)))))

(defun todostream--title-saved (todo title)
  "TODO is stored, with TITLE; what was typed since stays edited."
  (if (equal title (todostream--edited-title))
      (todostream--end-edit
       (mapcar (lambda (each) (if (eql (plist-get each :id) (plist-get todo :id)) todo each))
               todostream--todos))
    (plist-put todostream--edit :todo todo)
    (plist-put todostream--edit :saving nil)))

(defun todostream--title-refused (error)
  "The server has refused a title by ERROR; it stays edited."
  (plist-put todostream--edit :saving nil)
  (when (eq (plist-get error :code) 4)
    (let ((edit todostream--edit))
      (todostream--request
       'todo/show (list :id (plist-get (plist-get edit :todo) :id))
       (lambda (todo)
         (plist-put edit :todo todo)
         (when (eq edit todostream--edit)
           (todostream--complain
            (concat (todostream--error-text error)
                    "  RET overwrites it, C-c C-k gives up"))))))))

(defun todostream-title-abort ()
  "Give up the title that is edited."
  (interactive)
  (todostream--end-edit todostream--todos))

(defun todostream--end-edit (todos)
  "Edit no title any more, and show TODOS."
  (when todostream--edit
    (let ((row (assoc (plist-get (plist-get todostream--edit :todo) :id) todostream--rows))
          (overlay (plist-get todostream--edit :overlay)))
      (delete-region (overlay-start overlay) (overlay-end overlay))
      (delete-overlay overlay)
      (setq todostream--edit nil
            todostream--rows (mapcar (lambda (each) (if (eq each row) '(0) each))
                                     todostream--rows)
            buffer-undo-list t
            buffer-read-only t)
      (use-local-map todostream-list-mode-map)
      (todostream--list-draw todos))))

;;;; The detail

(defconst todostream--fields
  '((title . "Title: ") (complete . "\nCompleted: ") (priority . "\nPriority: ")
    (due . "\nDue: ") (tags . "\nTags: ") (project . "\nProject: ") (subtitle . "\n\n"))
  "The fields of a detail, in their order, and what stands before each.")

(defvar todostream-detail-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map [remap save-buffer] #'todostream-save)
    (define-key map "\C-c\C-c" #'todostream-save)
    (define-key map "\C-c\C-k" #'revert-buffer)
    (define-key map "\t" #'todostream-complete)
    (define-key map "\C-\M-i" #'todostream-complete)
    map)
  "Keys in the detail of a todo.")

(define-derived-mode todostream-detail-mode text-mode "Todo"
  "The detail of a todo: its fields, and below them its notes.
\\<todostream-detail-mode-map>\\[todostream-save] saves what you changed.

\\{todostream-detail-mode-map}"
  (setq header-line-format '((:eval (todostream--detail-header)))
        buffer-offer-save t)
  (setq-local require-final-newline nil
              revert-buffer-function #'todostream--revert)
  (add-hook 'write-contents-functions #'todostream--save-if-idle nil t)
  (add-hook 'completion-at-point-functions #'todostream-completion-at-point nil t)
  (add-hook 'kill-buffer-query-functions #'todostream--may-kill nil t))

(defun todostream-open ()
  "Open the detail of the todo at point."
  (interactive)
  (todostream--show-detail (todostream--todo-here)))

;;;###autoload
(defun todostream-detail (reference)
  "Open the detail of the todo REFERENCE: its number, UUID, @last or @name."
  (interactive (list (todostream--read "Todo: " "show ")))
  (let ((window (selected-window)) (buffer (window-buffer)))
    (todostream--request
     'todo/show (list :id (string-remove-prefix "#" (string-trim reference)))
     (lambda (todo)
       (if (and (eq window (selected-window)) (eq buffer (window-buffer)))
           (todostream--show-detail todo)
         (save-window-excursion (todostream--show-detail todo))
         (message "#%d is in %s" (plist-get todo :id) (todostream--detail-name todo)))))))

(defun todostream--detail-name (todo)
  "Return the name of the buffer for TODO."
  (format "*todo #%d*" (plist-get todo :id)))

(defun todostream--show-detail (todo)
  "Show the detail of TODO; one that is there already follows by itself."
  (let ((buffer (get-buffer-create (todostream--detail-name todo))))
    (with-current-buffer buffer
      (unless (derived-mode-p 'todostream-detail-mode) (todostream--fill todo)))
    (pop-to-buffer buffer)))

(defun todostream--fill (todo)
  "Make the current buffer the detail of TODO."
  (todostream-detail-mode)
  (setq todostream--todo todo)
  (let ((inhibit-read-only t))
    (pcase-dolist (`(,field . ,label) todostream--fields)
      (let ((label (propertize label 'read-only t 'todostream-label field
                               'field 'todostream 'face 'todostream-label)))
        (put-text-property (1- (length label)) (length label) 'rear-nonsticky t label)
        (insert label (todostream--field-text field todo))))
    (put-text-property (point-min) (1+ (point-min)) 'front-sticky '(read-only)))
  (goto-char (car (todostream--bounds 'title)))
  (setq buffer-undo-list nil)
  (set-buffer-modified-p nil)
  (todostream--detail-refresh nil))

(defun todostream--detail-header ()
  "Return the line above the detail."
  (let ((todo todostream--todo))
    (replace-regexp-in-string
     "%" "%%"
     (concat (format " #%d  created %s" (plist-get todo :id)
                     (substring (plist-get todo :createdAt) 0 10))
             (when-let ((at (plist-get todo :completedAt)))
               (concat "  completed " (substring at 0 10)))
             (when (eq (plist-get todo :deleted) t) "  deleted")
             (cond (todostream--down (concat "  " todostream--down))
                   (todostream--saving "  saving")
                   (todostream--changed-by
                    (format "  changed meanwhile by %s; saving merges both"
                            todostream--changed-by))))
     t t)))

;;;;; Fields

(defun todostream--field-text (field todo)
  "Return FIELD of TODO as it stands in the detail."
  (let ((value (plist-get todo (intern (format ":%s" field)))))
    (pcase field
      ('complete (if (eq value t) "yes" "no"))
      ('tags (mapconcat #'todostream--quote value " "))
      (_ (or value "")))))

(defun todostream--field-value (field text)
  "Return what the server gets for FIELD when TEXT stands there."
  (pcase field
    ('subtitle text)
    ('tags (pcase-let ((`(,words ,_ ,open) (todostream--words text)))
             (when open (todostream--field-error 'tags "A quote is never closed"))
             (vconcat words)))
    ('complete (pcase (string-trim text)
                 ("yes" t)
                 ("no" nil)
                 (_ (todostream--field-error 'complete "It is yes or no"))))
    ('title (string-trim text))
    (_ (let ((trimmed (string-trim text))) (unless (string-empty-p trimmed) trimmed)))))

(defun todostream--bounds (field)
  "Return where the text of FIELD begins and ends."
  (let* ((label (text-property-any (point-min) (point-max) 'todostream-label field))
         (start (next-single-property-change label 'todostream-label nil (point-max)))
         (next (car (cadr (memq (assq field todostream--fields) todostream--fields)))))
    (cons start (if next (text-property-any start (point-max) 'todostream-label next)
                  (point-max)))))

(defun todostream--text (field)
  "Return the text of FIELD as it stands."
  (pcase-let ((`(,start . ,end) (todostream--bounds field)))
    (buffer-substring-no-properties start end)))

(defun todostream--texts ()
  "Return the texts of all fields as they stand."
  (mapcar (lambda (each) (cons (car each) (todostream--text (car each)))) todostream--fields))

(defun todostream--field-at-point ()
  "Return the field in which point is."
  (car (seq-find (lambda (each) (<= (point) (cdr (todostream--bounds (car each)))))
                 todostream--fields)))

(defun todostream--edits ()
  "Return the fields that the user changed, and their new values."
  (let (edits)
    (pcase-dolist (`(,field . ,text) (todostream--texts) (nreverse edits))
      (unless (equal text (todostream--field-text field todostream--todo))
        (push (cons field (todostream--field-value field text)) edits)))))

(defun todostream--mark (field text)
  "Show TEXT behind FIELD, as what is wrong with it."
  (pcase-let* ((`(,start . ,end) (todostream--bounds field))
               (notes (eq field 'subtitle))
               (overlay (make-overlay (if notes start end) (if notes start end))))
    (overlay-put overlay 'todostream-mark text)
    (overlay-put overlay 'after-string
                 (propertize (format (if notes "← %s\n" "  ← %s") text)
                             'face 'todostream-mark))))

(defun todostream--field-refused (field text)
  "Show that FIELD was refused with TEXT, and put point there."
  (todostream--mark field text)
  (goto-char (cdr (todostream--bounds field)))
  (dolist (window (get-buffer-window-list nil nil t)) (set-window-point window (point))))

(defun todostream--field-error (field text)
  "Refuse what stands in FIELD with TEXT."
  (todostream--field-refused field text)
  (user-error "%s" text))

;;;;; Saving

(defun todostream-save ()
  "Save the fields that you changed, and only those.
Where somebody else changed the same field meanwhile, both values are
shown and yours stays; saving again then overwrites."
  (interactive)
  (when todostream--saving (user-error "The todo is being saved"))
  (todostream--clear-marks)
  (let* ((edits (todostream--edits))
         (completes (assq 'complete edits))
         (sent (todostream--texts))
         (fields (remq completes edits)))
    (if (null edits)
        (progn (set-buffer-modified-p nil)
               (message "Nothing has changed"))
      (if fields (todostream--save-fields fields completes sent)
        (todostream--save-completion completes sent))
      (setq todostream--saving t))))

(defun todostream--save-if-idle ()
  "Save, unless that is under way: for those who save all buffers."
  (unless todostream--saving (todostream-save))
  t)

(defun todostream--clear-marks ()
  "Show no more what was wrong with fields."
  (dolist (overlay (overlays-in (point-min) (point-max)))
    (when (overlay-get overlay 'todostream-mark) (delete-overlay overlay))))

(defun todostream--save-fields (edits completes sent)
  "Store EDITS, then COMPLETES, the edit of that field; SENT are the texts."
  (todostream--request
   'todo/edit
   (append (list :id (plist-get todostream--todo :id)
                 :expectedRevision (plist-get todostream--todo :revision))
           (mapcan (lambda (edit) (list (intern (format ":%s" (car edit))) (cdr edit))) edits))
   (lambda (todo)
     (if (not completes) (todostream--saved todo sent)
       (setq todostream--saving nil)
       (todostream--save-completion completes sent)
       (setq todostream--saving t)
       (todostream--merge todo (assq-delete-all 'complete (copy-alist sent)))))
   #'todostream--save-failed))

(defun todostream--save-completion (completes sent)
  "Complete or open the todo by COMPLETES; SENT are the texts."
  (todostream--request
   (if (cdr completes) 'todo/done 'todo/reopen)
   (list :id (plist-get todostream--todo :id)
         :expectedRevision (plist-get todostream--todo :revision))
   (lambda (todo) (todostream--saved todo sent))
   #'todostream--save-failed))

(defun todostream--saved (todo sent)
  "TODO is stored, as SENT; show it."
  (setq todostream--saving nil)
  (todostream--merge todo sent)
  (message "Saved #%d %s" (plist-get todo :id) (todostream--short (plist-get todo :title))))

(defun todostream--save-failed (error)
  "Saving failed by ERROR: the edit stays, and is shown where it is wrong."
  (setq todostream--saving nil)
  (let ((field (intern-soft (or (plist-get (plist-get error :data) :field) ""))))
    (cond ((eq (plist-get error :code) 4) (todostream--rebase error))
          ((assq field todostream--fields)
           (todostream--field-refused field (todostream--error-text error))))
    (todostream--show-error error)
    (force-mode-line-update)))

(defun todostream--rebase (error)
  "Show what was changed meanwhile, beside the edit; ERROR was the conflict."
  (todostream--request
   'todo/show (list :id (plist-get todostream--todo :id))
   (lambda (todo)
     (todostream--merge todo nil)
     (todostream--complain
      (concat (todostream--error-text error)
              "  Saving again overwrites it, C-c C-k takes it")))))

(defun todostream--merge (todo sent)
  "Compare with TODO from now on, and show it where the user changed nothing.
SENT are the texts that led to it; without, they are those that were
read before, and a field that both changed is marked."
  (let ((old todostream--todo)
        (inhibit-read-only t))
    (todostream--clear-marks)
    (setq todostream--todo todo
          todostream--changed-by nil)
    (pcase-dolist (`(,field . ,mine) (todostream--texts))
      (let ((before (if sent (alist-get field sent) (todostream--field-text field old)))
            (after (todostream--field-text field todo)))
        (cond ((equal mine after))
              ((equal mine before) (todostream--set-text field after))
              ((or sent (equal before after)))
              (t (todostream--mark field (format "now: %s   you saw: %s"
                                                 (todostream--short after)
                                                 (todostream--short before)))))))
    (set-buffer-modified-p
     (seq-some (lambda (each)
                 (not (equal (cdr each) (todostream--field-text (car each) todo))))
               (todostream--texts)))
    ;; What others did is not for `undo' to revert, one letter at a time.
    (unless (or sent (buffer-modified-p)) (setq buffer-undo-list nil))
    (force-mode-line-update)))

(defun todostream--set-text (field text)
  "Let TEXT stand in FIELD; point stays where it is in the text."
  (pcase-let ((`(,start . ,end) (todostream--bounds field)))
    (replace-region-contents start end (lambda () text) 0.2)))

;;;;; What others change

(defun todostream--detail-changed (change)
  "The todo was changed, by the notification CHANGE."
  (unless (or todostream--saving
              (<= (plist-get change :revision) (plist-get todostream--todo :revision)))
    (todostream--detail-refresh (plist-get change :origin))))

(defun todostream--detail-refresh (origin)
  "Show the todo as it is now, unless it is edited; ORIGIN has changed it."
  (todostream--request
   'todo/show (list :id (plist-get todostream--todo :id))
   (lambda (todo)
     (cond ((or todostream--saving
                (<= (plist-get todo :revision) (plist-get todostream--todo :revision))))
           ((not (buffer-modified-p)) (todostream--merge todo nil))
           (t (setq todostream--changed-by (or origin "somebody"))
              (force-mode-line-update)
              (message "#%d was changed meanwhile by %s; your edit stays, and saving merges both"
                       (plist-get todo :id) todostream--changed-by))))
   (lambda (error)
     (unless (eq (plist-get error :code) -1) (todostream--show-error error)))))

(defun todostream--revert (&optional _auto noconfirm)
  "Show the todo as it is stored, and give an edit up.
Without NOCONFIRM that is asked before."
  (when (or noconfirm (not (buffer-modified-p))
            (yes-or-no-p "Give up what you changed? "))
    (todostream--request
     'todo/show (list :id (plist-get todostream--todo :id))
     (lambda (todo) (todostream--merge todo (todostream--texts))))))

;;;;; Nothing is lost silently

(defun todostream--saving-p ()
  "Return non-nil if something here is being saved."
  (or todostream--saving (plist-get todostream--edit :saving)))

(defun todostream--unsaved-p ()
  "Return non-nil if something here is edited and not saved."
  (or (and todostream--todo (buffer-modified-p))
      (and todostream--edit
           (not (equal (todostream--edited-title) (todostream--title-before))))))

(defun todostream--may-kill ()
  "Ask before an edit is thrown away with its buffer."
  (or (not (todostream--unsaved-p))
      (yes-or-no-p (format "%s is not saved; kill it anyway? " (buffer-name)))))

(provide 'todostream)
;;; todostream.el ends here
