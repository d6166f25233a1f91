// A flow in code: it scores tickets, pages someone about urgent ones, and scores unclear ones again.
// The studio opens it, and `pravah run ticket-replies.flow.ts --trust --input '{"subject":"The site is down","mail":"ada@example.org"}'` runs it.
// As a program: npm install pravah-studio zod, then: node ticket-replies.flow.ts "The site is down"
import { analyse, createContext, defineFlow, FlowRuntime, left, right, state } from 'pravah-studio/runtime';
import { z } from 'zod';
import { customers } from './tools/customers.ts';

const Ticket = state('Ticket', z.object({ subject: z.string(), mail: z.string() }));
const Asked = state('Asked', z.object({ subject: z.string(), customer: z.string(), looks: z.int() }));
const Scored = state('Scored', z.object({ subject: z.string(), customer: z.string(), looks: z.int(), score: z.number().min(0).max(1) }));
const Urgent = state('Urgent', z.object({ subject: z.string(), customer: z.string() }));
const Page = state('Page', z.object({ to: z.string() }));
const Draft = state('Draft', z.object({ text: z.string() }));
const Reply = state('Reply', z.object({ text: z.string(), paged: z.string() }));

const alarming = /down|lost|leak/i;

export const ticketReplies = defineFlow({ input: Ticket, output: Reply, name: 'Ticket replies' })
  .work(
    Ticket,
    Asked,
    async ({ subject, mail }, ctx) => {
      const { name } = (await ctx.tools['./tools/customers.ts']({ mail })) as { readonly name: string };
      return { subject, customer: name, looks: 0 };
    },
    { tools: ['./tools/customers.ts'], title: 'Who asks?' },
  )
  .work(
    Asked,
    Scored,
    ({ looks, ...ticket }) => ({ ...ticket, looks: looks + 1, score: alarming.test(ticket.subject) ? 1 : Math.min(1, (looks + 1) / 3) }),
    { pure: true, title: 'Look at it' },
  )
  .either(Scored, [Asked, Urgent], ({ score, ...ticket }) => (score < 1 ? left(ticket) : right(ticket)), { pure: true, title: 'Sure?' })
  .fork(
    Urgent,
    [Page, Draft],
    ({ subject, customer }) => [{ to: 'on-call' }, { text: `Dear ${customer}, about "${subject}": we are on it.` }],
    {
      pure: true,
      title: 'Page and answer',
    },
  )
  .join([Page, Draft], Reply, ({ to }, { text }) => ({ text, paged: to }), { pure: true, title: 'Put together' })
  .build();

if (import.meta.main) {
  console.log('proof:', analyse(ticketReplies).status);
  const run = FlowRuntime.new(ticketReplies, { subject: process.argv[2] ?? 'The site is slow', mail: 'ada@example.org' });
  const ctx = await createContext({ tools: [customers] });
  for (;;) {
    console.log(run.nextNode, '←', JSON.stringify(run.snapshot().states));
    const out = await run.next(ctx);
    if (out.type === 'done') console.log(out.output.text, '| paged:', out.output.paged);
    if (out.type !== 'continue') break;
  }
}
