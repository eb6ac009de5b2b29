import { ContactSchema, PlateSchema, TravelerNamesSchema } from '#contract/checkout/schemas.ts';
import { findTravelerField, travelerField } from '#web/features/order/traveler-names/travelers.ts';
import { ApiError } from '#web/platform/api/api-error.ts';
import type { FieldError } from '#web/ui/form/error-summary.tsx';

export const detailsFields = {
  name: 'contact-name',
  email: 'contact-email',
  phone: 'contact-phone',
  plate: 'contact-plate',
  terms: 'contact-terms',
} as const;

export type DetailsForm = {
  contact: { name: string; email: string; phone: string };
  plate: string;
  /** Null: not asked for. */
  needsPlate: boolean | null;
  travelerNames: readonly string[];
  hasAccepted: boolean;
};

/** By the contract's own rules, so that what passes here is not refused there. */
export function findDetailsProblems(form: DetailsForm): FieldError[] {
  const { contact, plate, needsPlate, travelerNames, hasAccepted } = form;
  const result = ContactSchema.safeParse(contact);
  const wrong = new Set(result.success ? [] : result.error.issues.map(({ path }) => path[0]));
  const problems: FieldError[] = [];
  if (wrong.has('name')) problems.push({ fieldId: detailsFields.name, message: 'Enter your name.' });
  if (wrong.has('email')) {
    problems.push({
      fieldId: detailsFields.email,
      message: 'Enter an email address, like name@example.com.',
    });
  }
  if (wrong.has('phone')) {
    problems.push({
      fieldId: detailsFields.phone,
      message: 'Enter a phone number, like +1 206 555 0142, or leave it empty.',
    });
  }
  if (isPlateWrong(plate, needsPlate)) {
    problems.push({
      fieldId: detailsFields.plate,
      message: 'Enter the license plate, like 5KJH 220.',
    });
  }
  problems.push(...findNameProblems(travelerNames));
  if (!hasAccepted) {
    problems.push({ fieldId: detailsFields.terms, message: 'Accept the terms of carriage to continue.' });
  }
  return problems;
}

/** What the server found wrong, beside the field it names; null when it is about no field of this form. */
export function findServerProblems(error: unknown): FieldError[] | null {
  if (!(error instanceof ApiError)) return null;
  const problems = error.errors.map(({ code, field, message }) => {
    const fieldId = fieldOf(code, field);
    return fieldId === null ? null : { fieldId, message };
  });
  return problems.every((problem) => problem !== null) ? problems : null;
}

function findNameProblems(names: readonly string[]): FieldError[] {
  const result = TravelerNamesSchema.safeParse(names);
  const issues = result.success ? [] : result.error.issues;
  const indexes = new Set(issues.map(({ path }) => Number(path[0])));
  return [...indexes].map((index) => {
    const isLong = issues.some(({ path, code }) => path[0] === index && code === 'too_big');
    return {
      fieldId: travelerField(index),
      message: isLong
        ? 'Use a shorter name, with at most 120 characters.'
        : 'Type this name again. It contains a hidden character.',
    };
  });
}

function isPlateWrong(plate: string, needsPlate: boolean | null): boolean {
  if (needsPlate === null || (!needsPlate && plate.trim() === '')) return false;
  return !PlateSchema.safeParse(plate).success;
}

function fieldOf(code: string, field: string | undefined): string | null {
  if (code === 'plate_required') return detailsFields.plate;
  if (code === 'terms_outdated') return detailsFields.terms;
  switch (field) {
    case 'contact.name':
      return detailsFields.name;
    case 'contact.email':
      return detailsFields.email;
    case 'contact.phone':
      return detailsFields.phone;
    case 'plate':
      return detailsFields.plate;
    default:
      return findTravelerField(field);
  }
}
