CREATE TABLE "invoice_entries" (
	"seq" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "invoice_entries_seq_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"invoice_id" text NOT NULL,
	"kind" text NOT NULL,
	"amount" bigint NOT NULL,
	"day" date,
	"reference" text DEFAULT '' NOT NULL,
	"takes_back_seq" bigint,
	"staff_id" text,
	"booked_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "invoice_entries_takes_back_seq_unique" UNIQUE("takes_back_seq"),
	CONSTRAINT "invoice_entries_amount" CHECK (("invoice_entries"."amount" < 0) = ("invoice_entries"."takes_back_seq" is not null)),
	CONSTRAINT "invoice_entries_day" CHECK (("invoice_entries"."kind" = 'transferred') = ("invoice_entries"."day" is not null))
);
--> statement-breakpoint
CREATE TABLE "invoices" (
	"id" text PRIMARY KEY NOT NULL,
	"receipt_id" text NOT NULL,
	"email" text NOT NULL,
	"due_on" date NOT NULL,
	"currency" text NOT NULL,
	"amount" bigint NOT NULL,
	"credited" bigint DEFAULT 0 NOT NULL,
	"paid" bigint DEFAULT 0 NOT NULL,
	"settled_at" timestamp (3) with time zone,
	"reminded_at" timestamp (3) with time zone,
	"inserted_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "invoices_once" UNIQUE("receipt_id"),
	CONSTRAINT "invoices_sums" CHECK ("invoices"."amount" > 0 and "invoices"."credited" >= 0 and "invoices"."paid" >= 0
        and "invoices"."credited" + "invoices"."paid" <= "invoices"."amount"),
	CONSTRAINT "invoices_settled" CHECK (("invoices"."settled_at" is not null) = ("invoices"."credited" + "invoices"."paid" = "invoices"."amount"))
);
--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "invoice_id" text;--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "invoice_id" text;--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "bank_reference" text;--> statement-breakpoint
ALTER TABLE "mails" ADD COLUMN "receipt_id" text;--> statement-breakpoint
ALTER TABLE "invoice_entries" ADD CONSTRAINT "invoice_entries_invoice_id_invoices_id_fk" FOREIGN KEY ("invoice_id") REFERENCES "public"."invoices"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invoices" ADD CONSTRAINT "invoices_receipt_id_receipts_id_fk" FOREIGN KEY ("receipt_id") REFERENCES "public"."receipts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "invoice_entries_by_invoice" ON "invoice_entries" USING btree ("invoice_id");--> statement-breakpoint
CREATE INDEX "invoice_entries_by_time" ON "invoice_entries" USING btree ("booked_at");--> statement-breakpoint
CREATE INDEX "invoices_owed" ON "invoices" USING btree ("due_on") WHERE settled_at is null;
--> statement-breakpoint
CREATE FUNCTION count_invoice_entry() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  more_credited bigint := CASE NEW.kind WHEN 'credited' THEN NEW.amount ELSE 0 END;
  more_paid bigint := CASE NEW.kind WHEN 'transferred' THEN NEW.amount ELSE 0 END;
BEGIN
  UPDATE invoices SET credited = credited + more_credited, paid = paid + more_paid,
    settled_at = CASE WHEN credited + paid + more_credited + more_paid < amount THEN NULL
      ELSE coalesce(settled_at, NEW.booked_at) END
  WHERE id = NEW.invoice_id;
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER count_invoice_entry AFTER INSERT ON invoice_entries
  FOR EACH ROW EXECUTE FUNCTION count_invoice_entry();
--> statement-breakpoint
CREATE FUNCTION invoice_entries_stay() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- Only the removal of the demo deletes orders, and their invoices with them.
  IF TG_OP = 'DELETE' AND TG_LEVEL = 'ROW' AND NOT EXISTS (SELECT FROM invoices WHERE id = OLD.invoice_id) THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION 'Entries of invoices are append-only.'
    USING ERRCODE = 'restrict_violation', CONSTRAINT = 'invoice_entries_stay';
END
$$;
--> statement-breakpoint
CREATE TRIGGER invoice_entries_stay BEFORE UPDATE OR DELETE ON invoice_entries
  FOR EACH ROW EXECUTE FUNCTION invoice_entries_stay();
--> statement-breakpoint
CREATE TRIGGER invoice_entries_stay_whole BEFORE TRUNCATE ON invoice_entries
  FOR EACH STATEMENT EXECUTE FUNCTION invoice_entries_stay();
--> statement-breakpoint
CREATE OR REPLACE FUNCTION refund_method(refund refunds) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE
    WHEN refund.invoice_id IS NOT NULL THEN 'invoice'
    WHEN refund.trip_card_id IS NOT NULL THEN CASE WHEN refund.trips IS NULL THEN 'trip_card' ELSE 'pass' END
    WHEN refund.bank_reference IS NOT NULL THEN 'bank'
    WHEN refund.terminal_reference IS NOT NULL THEN 'terminal'
    WHEN refund.staff_id IS NOT NULL THEN 'cash'
    WHEN refund.reason = 'dispute' THEN 'dispute'
    ELSE CASE WHEN p.method = 'card' THEN 'card' ELSE 'cash' END
  END
  FROM payments p WHERE p.id = refund.payment_id
$$;
