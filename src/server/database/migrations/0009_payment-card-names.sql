ALTER TABLE "payments" ADD COLUMN "card_network" text;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "card_last_four" text;