-- Encrypted responses cannot be compressed, and stay in their row instead of a second table.
ALTER TABLE "idempotency_keys" ALTER COLUMN "sealed_body" SET STORAGE EXTERNAL;--> statement-breakpoint
ALTER TABLE "idempotency_keys" SET (toast_tuple_target = 8160);
