CREATE TABLE "deliveries" (
	"alert" uuid NOT NULL,
	"subscription_id" bigint NOT NULL,
	"user_id" bigint NOT NULL,
	"kind" text NOT NULL,
	"state" text NOT NULL,
	"code" text,
	"gathered_in" uuid,
	"due_at" timestamp with time zone NOT NULL,
	"at" timestamp with time zone NOT NULL,
	CONSTRAINT "deliveries_alert_subscription_id_pk" PRIMARY KEY("alert","subscription_id")
);
--> statement-breakpoint
CREATE TABLE "push_subscriptions" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "push_subscriptions_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"user_id" bigint NOT NULL,
	"session_id" bigint NOT NULL,
	"endpoint_hash" text NOT NULL,
	"endpoint" text NOT NULL,
	"p256dh" text NOT NULL,
	"auth" text NOT NULL,
	"time_zone" text,
	"created_at" timestamp with time zone NOT NULL,
	"last_ok_at" timestamp with time zone,
	"failures" integer DEFAULT 0 NOT NULL,
	"last_code" text,
	CONSTRAINT "push_subscriptions_session_id_unique" UNIQUE("session_id"),
	CONSTRAINT "push_subscriptions_endpoint_hash_unique" UNIQUE("endpoint_hash")
);
--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "push" jsonb;--> statement-breakpoint
ALTER TABLE "notifications" ADD COLUMN "alert" uuid;--> statement-breakpoint
ALTER TABLE "installation" ADD COLUMN "vapid_public_key" text;--> statement-breakpoint
ALTER TABLE "installation" ADD COLUMN "vapid_private_key" text;--> statement-breakpoint
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "push_subscriptions" ADD CONSTRAINT "push_subscriptions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "push_subscriptions" ADD CONSTRAINT "push_subscriptions_session_id_sessions_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."sessions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "deliveries_of_user" ON "deliveries" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "deliveries_by_time" ON "deliveries" USING btree ("at");--> statement-breakpoint
CREATE INDEX "deliveries_held" ON "deliveries" USING btree ("subscription_id") WHERE state = 'held';--> statement-breakpoint
CREATE INDEX "deliveries_gathered" ON "deliveries" USING btree ("gathered_in") WHERE gathered_in is not null;--> statement-breakpoint
CREATE INDEX "push_subscriptions_of_user" ON "push_subscriptions" USING btree ("user_id");--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_alert_unique" UNIQUE("alert");