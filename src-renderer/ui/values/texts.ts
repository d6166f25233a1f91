import { counted, numberText } from '#renderer/ui/controls/counted.ts';

/** What values, durations and differences say on screen. */
export const texts = {
  moreParts: (count: number) => `${numberText(count)} more`,
  difference: {
    newFile: (path: string) => `New file ${path}`,
    changes: (path: string) => `Changes to ${path}`,
    label: (path: string) => `Changes to ${path}`,
    counts: (added: number, removed: number) => `${counted(added, 'line')} added, ${numberText(removed)} removed`,
    none: 'No changes: the file already has this content.',
    added: 'added: ',
    removed: 'removed: ',
    moreLines: (count: number) => counted(count, 'more line'),
  },
  time: {
    justNow: 'just now',
    ago: (span: string) => `${span} ago`,
  },
};
