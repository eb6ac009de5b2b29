import { auditLogCommand } from './audit-log.ts';
import { backupCommand } from './back-up.ts';
import type { Command } from './command.ts';
import { doctorCommand } from './doctor.ts';
import { importCommand } from './import.ts';
import { paymentsCommand } from './payments.ts';
import { privacyCommand } from './privacy.ts';
import { refundCommand } from './refund-order.ts';
import { removeDemoCommand } from './remove-demo.ts';
import { rotateKeysCommand } from './rotate-keys.ts';
import { sailingsCommand } from './sailings.ts';
import { settingsCommand } from './settings.ts';
import { staffCommand } from './staff.ts';
import { tripCardsCommand } from './trip-cards.ts';

/** Every command that needs the database, including those sent to the running server. */
export const commands: readonly Command[] = [
  importCommand,
  sailingsCommand,
  tripCardsCommand,
  refundCommand,
  paymentsCommand,
  privacyCommand,
  settingsCommand,
  removeDemoCommand,
  staffCommand,
  auditLogCommand,
  doctorCommand,
  backupCommand,
  rotateKeysCommand,
];
