CREATE TABLE "devices" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" bigint NOT NULL,
	"key" text NOT NULL,
	"name" text NOT NULL,
	"place" text,
	"created_at" timestamp with time zone NOT NULL,
	"heard_from" bigint,
	"heard_at" timestamp with time zone NOT NULL,
	"pending" integer DEFAULT 0 NOT NULL,
	"kinds" jsonb,
	"oldest_at" timestamp with time zone,
	"emptied_at" timestamp with time zone,
	"lost" jsonb,
	"lost_at" timestamp with time zone,
	"lost_from" bigint,
	"told_at" timestamp with time zone,
	CONSTRAINT "devices_by_key" UNIQUE("user_id","key")
);
--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "device_id" uuid;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "pending_detail" text;--> statement-breakpoint
ALTER TABLE "devices" ADD CONSTRAINT "devices_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "devices_by_heard" ON "devices" USING btree ("heard_at");--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_device_id_devices_id_fk" FOREIGN KEY ("device_id") REFERENCES "public"."devices"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "sessions_by_device" ON "sessions" USING btree ("device_id");