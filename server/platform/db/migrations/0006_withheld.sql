DROP INDEX "profiles_active";--> statement-breakpoint
DROP INDEX "profiles_of_industry";--> statement-breakpoint
ALTER TABLE "profiles" ADD COLUMN "withheld" text;--> statement-breakpoint
ALTER TABLE "profiles" ADD COLUMN "is_shown" boolean GENERATED ALWAYS AS (status = 'active' and withheld is null) STORED NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "must_confirm_email" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "pending_email" text;--> statement-breakpoint
CREATE INDEX "profiles_shown" ON "profiles" USING btree ("id") WHERE is_shown;--> statement-breakpoint
CREATE INDEX "profiles_of_industry" ON "profiles" USING btree ("industry_id","user_id") WHERE is_shown;