import type { GateParty } from '#contract/gate/schemas.ts';
import { parseReference } from '../orders/reference.ts';

/** Parties with the texts that a search compares. */
export type PartyIndex = readonly { party: GateParty; names: string; codes: string }[];

/** A shorter search would list strangers. */
export const SEARCH_LENGTH = 3;

/** Prepares parties for `searchParties`. */
export function indexParties(parties: readonly GateParty[]): PartyIndex {
  return parties.map((party) => {
    const { reference, contact_name, phone, vehicle, tickets } = party;
    return {
      party,
      names: foldText([contact_name, ...tickets.map(({ name }) => name ?? '')].join('\n')),
      codes: [reference, phone, vehicle?.plate ?? '', ...tickets.map(({ code }) => code)]
        .map(foldCode)
        .join('\n'),
    };
  });
}

/**
 * Finds parties by a part of a name, license plate, reference, phone number or spoken code. Empty for a text that is too
 * short.
 * @param limit of the parties to return
 */
export function searchParties(index: PartyIndex, text: string, limit: number): GateParty[] {
  const name = foldText(text.trim());
  const code = foldCode(text);
  if (code.length < SEARCH_LENGTH) return [];
  const matches: GateParty[] = [];
  for (const { party, names, codes } of index) {
    if (!names.includes(name) && !codes.includes(code)) continue;
    matches.push(party);
    if (matches.length === limit) break;
  }
  return matches;
}

/**
 * The parties of the order whose reference was typed; empty for any other text.
 * @param text with or without the dash, in any case
 */
export function findPartiesOfOrder(parties: readonly GateParty[], text: string): GateParty[] {
  const typed = parseReference(text);
  return parties.filter(({ reference }) => reference === typed);
}

/** In lower case without accents. Apart from the search of orders, which also reads dates. */
function foldText(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}

function foldCode(text: string): string {
  return foldText(text).replace(/[^\p{L}\p{N}]/gu, '');
}
