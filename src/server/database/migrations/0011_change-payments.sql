ALTER TABLE "order_changes" ALTER COLUMN "hold_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "order_changes" ADD COLUMN "declines" integer DEFAULT 0 NOT NULL;