import { counted } from '#renderer/ui/controls/counted.ts';

/** What the start page, the folder picker and the trust bar say on screen. A `{name}` is an element that `TextWith` puts in. */
export const texts = {
  cancel: 'Cancel',
  failed: {
    info: 'Information about the studio could not be loaded',
    folder: 'The folder could not be opened',
    open: (folder: string) => `${folder} could not be opened`,
    example: 'The example could not be opened',
    trust: 'The folder’s trust was not changed',
    tools: 'The tools of this folder could not be loaded',
  },
  open: {
    title: 'Open a folder',
    dialogFailed: 'The folder dialog did not open',
    folder: 'Folder',
    recent: 'Recent folders',
    folders: 'Folders',
    up: 'Up one folder',
    none: 'No folders here.',
    choose: 'Open this folder',
  },
  trust: {
    label: 'Restricted folder',
    about: '{folder} is restricted: code runs only in the sandbox, without modules or commands. Trust it only if you know its author.',
    trust: 'Trust this folder',
    stay: 'Stay restricted',
  },
  copy: {
    title: 'Use this flow in another folder',
    chooseFolder: (flow: string) => `Folder to use ${flow} in`,
    files: 'These files will be copied to {folder}, and that folder opens:',
    exists: 'already exists',
    taken: (count: number) => `Nothing is overwritten. Move ${count === 1 ? 'that file' : 'those files'} away, or choose another folder.`,
    copy: 'Copy and open',
    copied: (count: number, folder: string) => `${counted(count, 'file')} copied to ${folder}`,
  },
  welcome: {
    title: 'Draw, run and debug agent flows',
    chooseFlow: 'Choose a flow on the left, or create a new one.',
    noFlows: 'This folder has no flows yet.',
    noFolder: 'A flow is a text file in one of your folders. Open a folder to begin.',
    newFlow: 'New flow…',
    openFolder: 'Open folder…',
    examples: 'Examples',
    recent: 'Recent folders',
  },
};
