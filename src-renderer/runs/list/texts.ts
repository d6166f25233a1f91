import { counted, numberText } from '#renderer/ui/controls/counted.ts';

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
  panel: {
    scope: 'Runs of this flow or of all flows',
    thisFlow: 'This flow',
    allFlows: 'All flows',
    tries: 'Tries',
    emptyTries: 'Runs of a single node or tool are listed here. Choose Run this node alone in the menu of a node.',
    emptyFlow: 'Runs of this flow are listed here, also after a restart.',
    run: 'Run',
    status: 'Status',
    started: 'Started',
    took: 'Took',
    tookHint: 'From the start to the end, including waiting',
    tokens: 'Tokens',
    fork: (run: string, seq: number) => `fork of ${run}, step ${numberText(seq)}`,
    variant: (name: string, run: string, seq: number) => `“${name}” of ${run}, step ${numberText(seq)}`,
    continues: (run: string, seq: number) => `continues ${run} after step ${numberText(seq)}, edited`,
    continuedAs: (run: string) => `continued as ${run}`,
    showForks: 'Show forks',
    foldForks: 'Hide forks',
  },
};
