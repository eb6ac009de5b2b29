import { and, asc, eq } from 'drizzle-orm';
import type { PassTerms } from '#contract/passes/pass-terms.ts';
import type { Database } from '../database/database.ts';
import { passProducts } from '../database/schema/timetable.ts';
import { notFound } from '../http/api-error.ts';
import { translatePass } from '../sailings/translate-catalogue.ts';

/** The passes on sale in a language, in the order of the operator's file. */
export async function listProducts(db: Database, language: string): Promise<PassTerms[]> {
  const rows = await db
    .select({ terms: passProducts.terms })
    .from(passProducts)
    .where(eq(passProducts.active, true))
    .orderBy(asc(passProducts.sort), asc(passProducts.code));
  return rows.map(({ terms }) => translatePass(terms, language));
}

/** @throws {ApiError} not_found */
export async function requireProduct(db: Database, code: string): Promise<PassTerms> {
  const [product] = await db
    .select({ terms: passProducts.terms })
    .from(passProducts)
    .where(and(eq(passProducts.code, code), eq(passProducts.active, true)));
  if (!product) throw notFound();
  return product.terms;
}
