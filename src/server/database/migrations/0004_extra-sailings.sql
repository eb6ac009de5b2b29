ALTER TABLE "sailing_exceptions" DROP CONSTRAINT "sailing_exceptions_vessel";--> statement-breakpoint
ALTER TABLE "sailing_exceptions" ADD COLUMN "like_local" text;--> statement-breakpoint
ALTER TABLE "sailing_exceptions" ADD COLUMN "like_day" date;--> statement-breakpoint
ALTER TABLE "voyages" ADD COLUMN "exception_id" text;--> statement-breakpoint
CREATE UNIQUE INDEX "voyages_extra" ON "voyages" USING btree ("exception_id","service_date") WHERE "voyages"."exception_id" is not null;--> statement-breakpoint
ALTER TABLE "sailing_exceptions" ADD CONSTRAINT "sailing_exceptions_boat" CHECK (("sailing_exceptions"."kind" = 'vessel') = ("sailing_exceptions"."vessel_id" is not null) or "sailing_exceptions"."kind" = 'extra');--> statement-breakpoint
ALTER TABLE "sailing_exceptions" ADD CONSTRAINT "sailing_exceptions_extra" CHECK (("sailing_exceptions"."kind" = 'extra') = ("sailing_exceptions"."like_local" is not null)
        and ("sailing_exceptions"."like_local" is null or ("sailing_exceptions"."line" is not null and "sailing_exceptions"."departs_local" is not null)));