const withWarnings = (count: number) => (count === 0 ? '' : `, with ${count === 1 ? '1 warning' : `${count} warnings`}`);

/** Notices about saving flows and their files. */
export const texts = {
  saved: 'Saved',
  savedFile: (path: string) => `${path} saved`,
  nothingToSave: 'Nothing to save',
  notSaved: (path: string) => `${path} was not saved`,
  changedOnDisk: 'Not saved: the file has changed on disk',
  notReloaded: (path: string) => `${path} could not be reloaded`,
  draftNotStored: 'Your unsaved edits could not be stored on disk',
  positionsNotSaved: 'The positions of the nodes could not be saved',
  conflict: 'Your edit conflicts with a newer one. Both are stored: choose above the canvas.',

  otherEdits: {
    use: 'Use the other version',
    saved: (path: string) => `The other edits were saved as ${path}`,
    notSaved: 'The other edits could not be saved as a flow',
    notDiscarded: 'The other edits could not be discarded',
  },

  workflow: {
    imported: (flow: string, warnings: number) => `Imported as ${flow}${withWarnings(warnings)}`,
    updated: (flow: string, warnings: number) => `${flow} was updated${withWarnings(warnings)}`,
    notImported: (path: string) => `${path} was not imported`,
    errors: (path: string, errors: readonly { readonly line: number; readonly message: string }[]) => {
      const [first] = errors;
      const place = first ? `Line ${first.line}: ${first.message}` : '';
      return errors.length > 1 ? `${place} All ${errors.length} errors are in the problems of ${path}.` : place;
    },
  },

  file: {
    notCreated: (name: string) => `The flow “${name}” could not be created`,
    notRenamed: (path: string) => `${path} could not be renamed`,
    removed: (path: string) => `${path} was moved to the trash`,
    notRemoved: (path: string) => `${path} could not be deleted`,
  },
};
