import { counted } from '#renderer/ui/controls/counted.ts';

/** What the run list says on screen. */
export const texts = {
  status: {
    queued: 'queued',
    running: 'running',
    paused: 'paused',
    suspended: 'waiting',
    success: 'done',
    error: 'failed',
    cancelled: 'stopped',
  },
  list: {
    label: 'Runs',
    emptyTitle: 'No runs yet',
    empty: 'Every run of this folder is listed here, also after a restart.',
    forkedFrom: 'Forked from this run',
    steps: (count: number) => counted(count, 'step'),
    delete: (run: string, flow: string) => `Delete run ${run} of ${flow}`,
    deleteHint: 'Delete this run',
    stopFirst: 'Stop this run before deleting it',
  },
};
