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

  file: {
    notCreated: (name: string) => `The flow “${name}” could not be created`,
    notRenamed: (path: string) => `${path} could not be renamed`,
    removed: (path: string) => `${path} was moved to the trash`,
    notRemoved: (path: string) => `${path} could not be deleted`,
  },
};
