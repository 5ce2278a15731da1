import { UserRecord } from "./dist/transfer/UserRecord.js"
import { User } from "@community-messaging/domain/account/User"
import { Schema, Effect } from "effect"
const rec={kind:"user",id:"123456",username:"user1",email:"u1@example.org",global_name:"User 1"}
const d1=Schema.decodeUnknown(UserRecord,{errors:"all"}), d2=Schema.decodeUnknownEither(UserRecord,{errors:"all"}), d3=Schema.decodeUnknownEither(UserRecord)
const N=5000
const t=(n,f)=>{for(let i=0;i<500;i++)f();const s=process.cpuUsage();for(let i=0;i<N;i++)f();const e=process.cpuUsage(s);console.log(n,(e.user/N).toFixed(0),"us")}
t("effect",()=>Effect.runSync(d1(rec))); t("either all",()=>d2(rec)); t("either first",()=>d3(rec))
const u=Effect.runSync(d1(rec)); const enc=Schema.encodeSync(UserRecord); t("encode",()=>enc(u)); const v=Schema.is(User); t("is",()=>v(u))
t("json reviver",()=>JSON.parse(JSON.stringify(rec),(k,v)=>v===null?undefined:v))
