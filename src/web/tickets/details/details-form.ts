import { ContactSchema, PlateSchema } from '#contract/purchase.ts';
import { ApiError } from '#web/platform/api/api-error.ts';
import type { FieldError } from '#web/ui/error-summary.tsx';

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
  hasAccepted: boolean;
};

/** By the contract's own rules, so that what passes here is not refused there. */
export function findDetailsProblems({ contact, plate, needsPlate, hasAccepted }: DetailsForm): FieldError[] {
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
      return null;
  }
}
