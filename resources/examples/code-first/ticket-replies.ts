// A flow in code: tickets are scored, urgent ones are paged and answered at once, the others are asked about again until somebody is sure.
//   npm install pravah-studio zod, then: node ticket-replies.ts
import { analyse, createContext, defineFlow, FlowRuntime, left, right, state } from 'pravah-studio/runtime';
import { z } from 'zod';

const Ticket = state('Ticket', z.object({ subject: z.string(), looks: z.int().optional() }));
const Scored = state('Scored', z.object({ subject: z.string(), looks: z.int(), score: z.number().min(0).max(1) }));
const Urgent = state('Urgent', z.object({ subject: z.string() }));
const Page = state('Page', z.object({ to: z.string() }));
const Draft = state('Draft', z.object({ text: z.string() }));
const Reply = state('Reply', z.object({ text: z.string(), paged: z.string() }));

const alarming = /down|lost|leak/i;

export const ticketReplies = defineFlow({ input: Ticket, output: Reply, name: 'Ticket replies' })
  .work(
    Ticket,
    Scored,
    ({ subject, looks = 0 }) => ({ subject, looks: looks + 1, score: alarming.test(subject) ? 1 : Math.min(1, (looks + 1) / 3) }),
    { pure: true },
  )
  .either(Scored, [Ticket, Urgent], ({ subject, looks, score }) => (score < 1 ? left({ subject, looks }) : right({ subject })), {
    pure: true,
  })
  .fork(Urgent, [Page, Draft], ({ subject }) => [{ to: 'on-call' }, { text: `About "${subject}": we are on it.` }], { pure: true })
  .join([Page, Draft], Reply, ({ to }, { text }) => ({ text, paged: to }), { pure: true })
  .build();

if (import.meta.main) {
  console.log('proof:', analyse(ticketReplies).status);
  const run = FlowRuntime.new(ticketReplies, { subject: process.argv[2] ?? 'The site is slow' });
  const ctx = await createContext();
  for (;;) {
    console.log(run.nextNode, '←', JSON.stringify(run.snapshot().states));
    const out = await run.next(ctx);
    if (out.type === 'done') console.log(out.output.text, '| paged:', out.output.paged);
    if (out.type !== 'continue') break;
  }
}
