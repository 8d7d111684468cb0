# Made messages.ndjson, once: confluent-kafka 2.16.1, fastavro 1.13.1; shop.proto and money.proto are the schemas in its first line.
import json, base64, datetime, decimal, uuid, warnings, random, io
warnings.simplefilter('ignore')
import fastavro
from confluent_kafka.schema_registry import SchemaRegistryClient, Schema, SchemaReference
from confluent_kafka.schema_registry.avro import AvroSerializer
from confluent_kafka.schema_registry.protobuf import ProtobufSerializer
from confluent_kafka.schema_registry.json_schema import JSONSerializer
from confluent_kafka.serialization import SerializationContext, MessageField
import shop_pb2, money_pb2
b=lambda x: base64.b64encode(x).decode()
client=SchemaRegistryClient.new_client({'url':'mock://x'})
ctx=SerializationContext('orders', MessageField.VALUE)
out={'schemas':{}, 'versions':{}, 'messages':[]}
def note(data):
    id=int.from_bytes(data[1:5],'big'); s=client.get_schema(id)
    out['schemas'][str(id)]={'schema':s.schema_str,'schemaType':s.schema_type or 'AVRO','references':[{'name':r.name,'subject':r.subject,'version':r.version} for r in (s.references or [])]}
    for r in (s.references or []):
        v=client.get_version(r.subject,r.version); out['versions'][f'{r.subject}/{r.version}']={'schema':v.schema.schema_str,'schemaType':v.schema.schema_type,'references':[{'name':q.name,'subject':q.subject,'version':q.version} for q in (v.schema.references or [])]}
# Avro with a reference
addr={'type':'record','name':'Address','namespace':'common','fields':[{'name':'city','type':'string'},{'name':'zip','type':['null','string'],'default':None}]}
client.register_schema('address', Schema(json.dumps(addr),'AVRO'))
order={'type':'record','name':'Order','namespace':'shop','fields':[
 {'name':'id','type':'long'},{'name':'small','type':'int'},{'name':'rate','type':'float'},{'name':'total','type':'double'},{'name':'gift','type':'boolean'},
 {'name':'note','type':['null','string']},{'name':'raw','type':'bytes'},{'name':'mac','type':{'type':'fixed','name':'Mac','size':6}},
 {'name':'state','type':{'type':'enum','name':'State','symbols':['NEW','PAID']}},
 {'name':'states','type':{'type':'array','items':'State'}},{'name':'counts','type':{'type':'map','values':'long'}},
 {'name':'address','type':['null','common.Address']},{'name':'price','type':{'type':'bytes','logicalType':'decimal','precision':20,'scale':2}},
 {'name':'fixedPrice','type':{'type':'fixed','name':'P','size':8,'logicalType':'decimal','precision':18,'scale':3}},
 {'name':'whole','type':{'type':'bytes','logicalType':'decimal','precision':30}},
 {'name':'day','type':{'type':'int','logicalType':'date'}},{'name':'ms','type':{'type':'long','logicalType':'timestamp-millis'}},
 {'name':'us','type':{'type':'long','logicalType':'timestamp-micros'}},{'name':'local','type':{'type':'long','logicalType':'local-timestamp-micros'}},
 {'name':'clock','type':{'type':'int','logicalType':'time-millis'}},{'name':'clockUs','type':{'type':'long','logicalType':'time-micros'}},
 {'name':'uid','type':{'type':'string','logicalType':'uuid'}},
 {'name':'next','type':['null','Order']},{'name':'mixed','type':['null','long','string',{'type':'array','items':'double'}]}]}
ser=AvroSerializer(client, Schema(json.dumps(order),'AVRO',[SchemaReference('common.Address','address',1)]))
UTC=datetime.timezone.utc
def one(**k):
    r=dict(id=2**53+1,small=-7,rate=0.5,total=-1e-7,gift=True,note='Grüße \U0001F600',raw=b'\0\xff',mac=b'abcdef',state='PAID',states=['NEW','PAID'],counts={'a':1,'b':-2**63},address={'city':'Bern','zip':None},price=decimal.Decimal('-12.34'),fixedPrice=decimal.Decimal('1.005'),whole=decimal.Decimal('123456789012345678901234567890'),day=datetime.date(2026,2,28),ms=datetime.datetime(2026,2,28,1,2,3,456000,UTC),us=datetime.datetime(1969,12,31,23,59,59,999999,UTC),local=datetime.datetime(2026,2,28,1,2,3,4),clock=datetime.time(12,34,56,789000),clockUs=datetime.time(0,0,0,1),uid=uuid.UUID('12345678-1234-5678-1234-567812345678'),next=None,mixed=[0.5,2.0])
    r.update(k); return r
def want(**k):
    r=dict(id='9007199254740993n',small=-7,rate=0.5,total=-1e-7,gift=True,note='Grüße \U0001F600',raw=b(b'\0\xff'),mac=b(b'abcdef'),state='PAID',states=['NEW','PAID'],counts={'a':1,'b':str(-2**63)+'n'},address={'city':'Bern','zip':None},price=-12.34,fixedPrice=1.005,whole='123456789012345678901234567890n',day='2026-02-28',ms='2026-02-28T01:02:03.456000Z',us='1969-12-31T23:59:59.999999Z',local='2026-02-28T01:02:03.000004',clock='12:34:56.789000',clockUs='00:00:00.000001',uid='12345678-1234-5678-1234-567812345678',next=None,mixed=[0.5,2])
    r.update(k); return r
for v,w in [(one(),want()),(one(id=-2**63,mixed=None,next=one(id=2**63-1,mixed='x')),want(id=str(-2**63)+'n',mixed=None,next=want(id=str(2**63-1)+'n',mixed='x'))),(one(id=0,small=2**31-1,counts={},states=[],address=None,note=None,mixed=64,price=decimal.Decimal('0'),whole=decimal.Decimal('-1'),day=datetime.date(1,1,1)),want(id=0,small=2**31-1,counts={},states=[],address=None,note=None,mixed=64,price=0,whole=-1,day='0001-01-01'))]:
    d=ser(v,ctx); note(d); out['messages'].append({'format':'Avro','bytes':b(d),'event':w})
# Protobuf
ps=ProtobufSerializer(shop_pb2.Order, client, {'use.deprecated.format':False})
o=shop_pb2.Order(id=-5,big=2**64-1,change=-2**63,f64=2**53+1,sf32=-3,total=0.1,rate=0.5,gift=True,note='ü',raw=b'\1\2',state=1,numbers=[1,-1,2**62],tags=['a',''],card='4242',rank=0,history=[1,0,7],below=-2)
o.lines.add(sku='s',count=3); o.lines.add(); o.by_sku['k'].sku='v'; o.states[-1]=1
o.at.FromDatetime(datetime.datetime(2026,2,28,1,2,3,456789)); o.took.seconds=-1; o.took.nanos=-500000000; o.extra.update({'n':None,'l':[1,'x',{'y':True}]}); o.maybe.value=0
we=dict(id=-5,big='18446744073709551615n',change=str(-2**63)+'n',f64='9007199254740993n',sf32=-3,total=0.1,rate=0.5,gift=True,note='ü',raw=b(b'\1\2'),state='STATE_PAID',lines=[{'sku':'s','count':3},{'sku':'','count':0}],numbers=[1,-1,str(2**62)+'n'],tags=['a',''],by_sku={'k':{'sku':'v','count':0}},states={'-1':'STATE_PAID'},card='4242',at='2026-02-28T01:02:03.456789Z',took='-1.500s',extra={'n':None,'l':[1,'x',{'y':True}]},maybe=0,rank=0,history=['STATE_PAID','STATE_UNKNOWN',7],below=-2)
d=ps(o,ctx); note(d); out['messages'].append({'format':'Protobuf','bytes':b(d),'event':we})
e=shop_pb2.Order(cash=money_pb2.Money(currency='CHF',cents=2**53+1))
d=ps(e,ctx); out['messages'].append({'format':'Protobuf','bytes':b(d),'event':dict(id=0,big=0,change=0,f64=0,sf32=0,total=0,rate=0,gift=False,note='',raw='',state='STATE_UNKNOWN',lines=[],numbers=[],tags=[],by_sku={},states={},cash={'currency':'CHF','cents':'9007199254740993n'},history=[],below=0)})
pl=ProtobufSerializer(shop_pb2.Order.Line, client, {'use.deprecated.format':False})
d=pl(shop_pb2.Order.Line(sku='nested',count=1),SerializationContext('lines', MessageField.VALUE)); note(d); out['messages'].append({'format':'Protobuf','bytes':b(d),'event':{'sku':'nested','count':1}})
js=JSONSerializer(json.dumps({'title':'o','type':'object'}), client)
d=js({'id':2**60+1,'s':'ü'},SerializationContext('json', MessageField.VALUE)); note(d); out['messages'].append({'format':'JSON','bytes':b(d),'event':{'id':str(2**60+1)+'n','s':'ü'}})
# random
rnd=random.Random(47); names=0
def rs(depth,inunion=False):
    global names
    kinds=['null','boolean','int','long','float','double','bytes','string','enum','fixed']+([] if depth>2 else ['record','array','map']*2+([] if inunion else ['union']*2))
    k=rnd.choice(kinds); names+=1
    if k=='enum': return {'type':'enum','name':f'n{names}','symbols':['A','B','C']}
    if k=='fixed': return {'type':'fixed','name':f'n{names}','size':rnd.randrange(0,5)}
    if k=='record':
        n=f'n{names}'
        return {'type':'record','name':n,'fields':[{'name':f'f{i}','type':rs(depth+1)} for i in range(rnd.randrange(0,5))]}
    if k=='array': return {'type':'array','items':rs(depth+1)}
    if k=='map': return {'type':'map','values':rs(depth+1)}
    if k=='union':
        br=[];seen=set()
        for _ in range(3):
            s=rs(depth+1,True); t=s if isinstance(s,str) else s['type']
            if t not in seen and not ({t}|seen)>={'int','long'} : seen.add(t); br.append(s)
        return br
    return k
def rv(s):
    t=s if isinstance(s,str) else 'union' if isinstance(s,list) else s['type']
    if t=='null': return None,None
    if t=='boolean': v=rnd.random()<.5; return v,v
    if t=='int': v=rnd.choice([0,1,-1,2**31-1,-2**31,rnd.randrange(-1000,1000)]); return v,v
    if t=='long': v=rnd.choice([0,63,64,-64,-65,2**53-1,2**53,-2**53,2**63-1,-2**63,rnd.randrange(-2**40,2**40)]); return v,(v if abs(v)<2**53 else str(v)+'n')
    if t=='float': v=rnd.choice([0.0,0.5,-2.25]); return v,v
    if t=='double': v=rnd.choice([0.0,0.1,-1e300,5e-324]); return v,v
    if t=='bytes': v=rnd.randbytes(rnd.randrange(0,5)); return v,b(v)
    if t=='string': v=rnd.choice(['','a','ü','\U0001F600','x'*70]); return v,v
    if t=='enum': v=rnd.choice(s['symbols']); return v,v
    if t=='fixed': v=rnd.randbytes(s['size']); return v,b(v)
    if t=='record':
        a={};w={}
        for f in s['fields']: a[f['name']],w[f['name']]=rv(f['type'])
        return a,w
    if t=='array':
        ps=[rv(s['items']) for _ in range(rnd.randrange(0,4))]; return [p[0] for p in ps],[p[1] for p in ps]
    if t=='map':
        ks=['','k','__proto__','ü'][:rnd.randrange(0,4)]; ps={k:rv(s['values']) for k in ks}; return {k:p[0] for k,p in ps.items()},{k:p[1] for k,p in ps.items()}
    i=rnd.randrange(len(s)); br=s[i]; v,w=rv(br)
    return (('a.b.'+br['name'] if isinstance(br,dict) and 'name' in br else (br if isinstance(br,str) else br['type']),v) if br!='null' else None),w
out['random']=[]
while len(out['random'])<60:
    names=0
    s={'type':'record','name':'R','namespace':'a.b','fields':[{'name':f'g{i}','type':rs(0)} for i in range(rnd.randrange(1,5))]}
    if len(json.dumps(s))>900: continue
    try:
        p=fastavro.parse_schema(json.loads(json.dumps(s))); msgs=[]
        for _ in range(3):
            v,w=rv(s); f=io.BytesIO(); fastavro.schemaless_writer(f,p,v); msgs.append([b(f.getvalue()),w])
    except Exception as ex: print('skip',type(ex),str(ex)[:80]); continue
    if sum(len(m[0]) for m in msgs)<2500: out['random'].append({'schema':s,'messages':msgs})
texts={'PROTOBUF shop':open('shop.proto').read(),'PROTOBUF money':open('money.proto').read()}
# A registry answers the text of a .proto, the client's stand-in its descriptor.
for s in out['schemas'].values():
    if s['schemaType']=='PROTOBUF': s['schema']=texts['PROTOBUF shop']
for s in out['versions'].values():
    if s['schemaType']=='PROTOBUF': s['schema']=texts['PROTOBUF money']
for line in [{'schemas':out['schemas'],'versions':out['versions']}]+out['messages']+out['random']: print(json.dumps(line,ensure_ascii=False))
