import { oc } from '@orpc/contract';
import { z } from 'zod';

/** What a token may do. `run`: runs of flows; `approve`: approvals and unknown outcomes; `admin`: tokens. */
export const scopeSchema = z.enum(['read', 'run', 'approve', 'manage', 'admin']);
export type Scope = z.infer<typeof scopeSchema>;

interface RouteMeta {
  /** The scope that a caller needs. */
  readonly scope: Scope;
}

/** A procedure of the server's API. Parameters, query and body arrive apart, and answers carry their status and headers. */
export const route = oc.$meta<RouteMeta>({ scope: 'read' }).$route({ inputStructure: 'detailed', outputStructure: 'detailed' });

/** A time as RFC 3339, in UTC with milliseconds. */
export const timeSchema = z.iso.datetime({ precision: 3 });

/** Milliseconds since 1970 as `timeSchema` has it. */
export const timeText = (milliseconds: number): string => new Date(milliseconds).toISOString();

/** A list, newest first, or by name where it has one. */
export const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.object({
    data: z.array(item),
    /** Give it back as `page_token` for what follows; null at the end. */
    next_page_token: z.string().nullable(),
  });

/** What all lists take. */
export const pageQuery = {
  limit: z.coerce.number().int().min(1).max(200).default(50),
  page_token: z.string().max(500).optional(),
};

const answer = <Status extends number, Body extends z.ZodType>(status: Status, body: Body) =>
  z.object({ status: z.literal(status), headers: z.record(z.string(), z.string()).optional(), body });

/** 200 with a body. */
export const ok = <Body extends z.ZodType>(body: Body) => answer(200, body);
/** 201 with a body. */
export const created = <Body extends z.ZodType>(body: Body) => answer(201, body);
/** 202 with a body: it goes on by itself. */
export const accepted = <Body extends z.ZodType>(body: Body) => answer(202, body);
/** 204. */
export const gone = z.object({ status: z.literal(204) });
