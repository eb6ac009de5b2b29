ALTER TABLE "customers" ADD COLUMN "devices_forgotten_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "passkeys" ADD COLUMN "verifies_user" boolean DEFAULT false NOT NULL;