/** Notices of runs that can't be shown. */
export const texts = {
  notOpened: 'The run could not be opened',
  noRun: {
    title: 'No run is shown',
    message: 'Start a run, or open one from the list at the right end of the bottom panel.',
  },
};
