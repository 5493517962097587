ALTER TABLE "blocks" ADD COLUMN "is_named" boolean DEFAULT true NOT NULL;--> statement-breakpoint
CREATE INDEX "users_at_desk" ON "users" USING btree ("role") WHERE role <> 'person';