import { backupCommand } from './backups/backup-command.ts';
import type { Command } from './command.ts';
import { removeDemoCommand } from './demo/command.ts';
import { rotateKeysCommand } from './keys/rotate-keys-command.ts';
import { doctorCommand } from './operations/doctor/doctor-command.ts';
import { paymentsCommand } from './operations/payments-command.ts';
import { privacyCommand } from './operations/privacy-command.ts';
import { sailingsCommand } from './operations/sailings-command.ts';
import { refundCommand } from './order-payments/refund-command.ts';
import { importCommand } from './sailings/import-command.ts';
import { settingsCommand } from './settings/settings-command.ts';
import { tripCardsCommand } from './trip-cards/command.ts';

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
  doctorCommand,
  backupCommand,
  rotateKeysCommand,
];
