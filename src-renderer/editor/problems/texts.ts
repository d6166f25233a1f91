/** The texts of the problems panel. */
export const texts = {
  problems: 'Problems',
  menu: (problem: string) => `Problem: ${problem}`,
  noFlow: 'No flow is open',
  noFlowHint: 'Problems of the open flow appear here while you edit.',
  checking: 'Checking…',
  checkingHint: 'The flow is being checked.',
  none: 'No problems',
  noneHint: 'The flow is checked after every edit. Problems appear here and on their nodes.',
  fix: (title: string) => `Fix: ${title}`,
  showHow: 'Show how',
  showHowOf: (problem: string) => `Show how: ${problem}`,
  showHowHint: 'Show on the canvas how this happens',
  tones: {
    error: 'Error',
    hasErrors: 'Has errors',
    unfinished: 'Not finished',
    warning: 'Warning',
    hasWarnings: 'Has warnings',
  },
};
