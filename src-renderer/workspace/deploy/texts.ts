/** What the deployment dialog says on screen. */
export const texts = {
  title: (path: string) => `Deploy ${path}`,
  close: 'Close',
  about: 'New runs of this name on the server take the deployed version. Runs that have started keep theirs.',
  server: 'Server',
  name: 'Name on the server',
  nameHint: 'Letters, digits, _ and -',
  asking: 'Asking the servers',
  checking: 'Checking on the server',
  noServers:
    'No server is added, or no token here may deploy. Add a server with a token of the scope “manage” in the settings, under Servers.',
  unsaved: 'This flow has unsaved changes. The saved file is deployed.',
  save: 'Save',
  first: (name: string, server: string) => `${name} is not on ${server} yet.`,
  same: (name: string, version: number, server: string) =>
    `${server} runs exactly this as ${name}@${version}. Deploying it again changes nothing.`,
  next: (name: string, version: number, server: string) => `${server} runs ${name}@${version}. A new version takes its place.`,
  problems: (count: number) => (count === 1 ? '1 problem' : `${count} problems`),
  unsound: 'Deploy it although it is not proven sound',
  reach: 'On the server, its runs can:',
  reachNothing: 'Its runs reach nothing outside the flow.',
  cancel: 'Cancel',
  deploy: 'Deploy',
  done: (name: string, version: number, server: string) => `Deployed on ${server} as ${name}@${version}.`,
} as const;
