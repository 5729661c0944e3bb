;;; run.el --- Run the scenarios that are loaded  -*- lexical-binding: t; -*-

;;; Commentary:

;; Emacs ends with 0 where there is no test, and where a test ends it, too; so
;; a file says that there were some, and that they came to their end.

;;; Code:

(require 'ert)

(let ((outcome (ert-run-tests-batch)))
  (unless (< 0 (ert-stats-total outcome) (1+ (ert-stats-completed-expected outcome)))
    (message "Some scenarios failed or were left out, or there are none")
    (kill-emacs 1))
  (write-region "" nil (concat (getenv "HOME") "/finished") nil 'silent))

;;; run.el ends here
