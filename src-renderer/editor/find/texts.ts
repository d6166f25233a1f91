/** The texts of the search in flows. */
export const texts = {
  title: 'Find in flows',
  searchText: 'Search text',
  placeholder: 'Name, code or prompt text',
  allFlows: 'All flows',
  results: 'Results',
  hint: 'Searches names, titles, notes, code, prompts, arguments and schemas. Case-sensitive if you type a capital.',
  found: (lines: number) => (lines === 0 ? 'No results.' : lines === 1 ? '1 line found.' : `${lines} lines found.`),
  foundMore: (lines: number, listed: number) => `${lines} lines found; the first ${listed} are listed.`,
  note: 'Note',
  noteText: 'on the canvas',
  group: 'Group',
  groupTitle: 'title',
  line: (field: string, line: number) => `${field}, line ${line}`,
  failed: 'Could not search all flows',
};
