import type * as z from 'zod/mini';
import type { ErrorCode } from './errors.ts';

/** One call of the API: what it takes, what it answers and how it refuses. */
export type Endpoint = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  summary: string;
  /** `optional`: a good bearer token changes what is answered, and nothing else is asked. */
  auth: 'none' | 'optional' | 'session';
  query?: z.ZodMiniObject;
  /** Lists: `page` and `filters[i][field|op|value]`, over these fields. */
  filters?: readonly string[];
  body?: z.ZodMiniType;
  isBodyOptional?: true;
  /** Whether an `Idempotency-Key` must or may come along. */
  idempotency?: 'required' | 'optional';
  /** Status of success, where it is not 200. */
  status?: 201;
  /** `data` of the envelope, or the media type of what is no envelope. */
  response: z.ZodMiniType | { mediaType: string };
  /** Refusals of its own, beside those every call of its kind may answer. */
  errors: readonly ErrorCode[];
};
