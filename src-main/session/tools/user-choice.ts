import type { Tool } from '#main/engine/ports/tool.ts';

/** ADK's `get_user_choice`: our `ask_user` with its options as choices. */
export function userChoice(askUser: Tool | undefined): Tool | undefined {
  return (
    askUser && {
      ...askUser,
      name: 'get_user_choice',
      description: 'Shows the options to the user and waits for a choice. Returns the chosen option.',
      input_schema: {
        type: 'object',
        properties: { options: { type: 'array', items: { type: 'string' }, minItems: 1, description: 'Options to choose from' } },
        required: ['options'],
      },
      call: ({ options }, ctx) => askUser.call({ question: 'Choose one of the options.', choices: options as string[] }, ctx),
    }
  );
}
