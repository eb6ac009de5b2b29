/** How several trip cards are paid at once. `invoice`: the recipient pays later. */
export const CARD_SALE_METHODS = ['invoice', 'cash', 'terminal'] as const;

/**
 * Why a card cannot get what is sold. `other_use`: it has money or another pass, or belongs to a pass that pays for something
 * else.
 */
export const CARD_PROBLEMS = ['not_a_number', 'unknown', 'blocked', 'other_use'] as const;
export type CardProblem = (typeof CARD_PROBLEMS)[number];
