;;; help-tests.el --- What the package says about itself  -*- lexical-binding: t; -*-

;;; Code:

(require 'support)
(require 'lisp-mnt)
(require 'checkdoc)

(defconst help-tests-file
  (concat (file-name-sans-extension (locate-library "todostream")) ".el"))

(defun help-tests-commentary ()
  "Return the commentary of the package."
  (lm-commentary help-tests-file))

(ert-deftest every-command-and-option-is-documented ()
  (let ((text (help-tests-commentary)) names)
    (mapatoms
     (lambda (symbol)
       (when (and (string-match-p "\\`todostream\\(-[^-]\\|\\'\\)" (symbol-name symbol))
                  (not (string-match-p "-tests\\|-mode\\'" (symbol-name symbol)))
                  (or (commandp symbol) (custom-variable-p symbol)))
         (push symbol names)
         (should (if (commandp symbol) (documentation symbol)
                   (documentation-property symbol 'variable-documentation)))
         (unless (string-match-p (format "`%s'" symbol) text)
           (ert-fail (list "not in the commentary" symbol))))))
    (should (memq 'todostream-restart names))
    (should (memq 'todostream-title-width names))))

(ert-deftest every-key-is-documented ()
  (let ((text (help-tests-commentary)) (count 0))
    (dolist (map (list todostream-list-mode-map todostream-title-map todostream-detail-mode-map
                       todostream-prompt-map))
      (setq map (copy-keymap map))
      (set-keymap-parent map nil)
      (map-keymap
       (lambda (event binding)
         (unless (memq event '(remap 27))
           (dolist (key (if (keymapp binding)
                            (let (keys)
                              (map-keymap (lambda (next _) (push (vector event next) keys)) binding)
                              keys)
                          (list (vector event))))
             (setq count (1+ count))
             (unless (string-match-p (format "\\(?:^\\|, \\|by \\|or \\)%s\\(?:[ ,]\\|$\\)"
                                             (regexp-quote (key-description key)))
                                     text)
               (ert-fail (list "not in the commentary" (key-description key)))))))
       map))
    (should (= count 20))))

(ert-deftest package-compiles-without-a-warning ()
  (let* ((folder (make-temp-file "todostream" t))
         (copy (expand-file-name "todostream.el" folder))
         (byte-compile-error-on-warn t))
    (unwind-protect
        (progn
          (copy-file help-tests-file copy)
          (should (byte-compile-file copy))
          (should (file-exists-p (concat copy "c"))))
      (delete-directory folder t))))

(ert-deftest package-is-as-checkdoc-wants-it ()
  (let (complaints)
    (let ((checkdoc-create-error-function
           (lambda (text start _end &optional _unfixable)
             (push (list (line-number-at-pos start) text) complaints)
             nil)))
      (with-current-buffer (find-file-noselect help-tests-file)
        (checkdoc-current-buffer t)))
    (should (equal complaints nil))))

(ert-deftest commands-are-autoloaded ()
  (with-temp-buffer
    (insert-file-contents help-tests-file)
    (dolist (command '("todostream" "todostream-list" "todostream-add" "todostream-detail"
                       "todostream-overdue" "todostream-undo" "todostream-redo" "todostream-run"
                       "todostream-restart"))
      (goto-char (point-min))
      (should (search-forward (format ";;;###autoload\n(defun %s (" command) nil t)))))

;;; help-tests.el ends here
