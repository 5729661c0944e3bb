PRAGMA foreign_keys=OFF;
PRAGMA application_id = 1953457263;
PRAGMA user_version = 3;
BEGIN TRANSACTION;
CREATE TABLE todo (
  number INTEGER PRIMARY KEY,
  uuid TEXT NOT NULL UNIQUE,
  createdAt INTEGER NOT NULL,
  title TEXT NOT NULL,
  subtitle TEXT NOT NULL,
  priority INTEGER NOT NULL,
  completedAt INTEGER,
  deleted INTEGER NOT NULL,
  due TEXT,
  tags TEXT NOT NULL,
  project TEXT,
  revision INTEGER NOT NULL,
  folded TEXT NOT NULL
) STRICT;
INSERT INTO todo VALUES(1,'92b9ce7f-8f77-4b07-83c0-2c30993ac4c3',1795477741118,'Don''t forget the café ☕️ 👩‍👩‍👧, the "quoted" C:\path',replace('First line\012\012third "line", it''s \n no newline\012	and a tab','\012',char(10)),1,NULL,0,'2026-12-01','["home","say \"hi\"","it''s","café","café","back\\slash","script"]','Kitchen''s "new" plén',112,replace('don''t forget the café ☕️ 👩‍👩‍👧, the "quoted" c:\path\012first line\012\012third "line", it''s \n no newline\012	and a tab','\012',char(10)));
INSERT INTO todo VALUES(2,'77473c9b-9e77-400c-a8f4-526939240899',1795477741141,'Call the plumber','from an editor',0,NULL,0,'2026-12-01T09:30','["home","both"]','Kitchen',120,replace('call the plumber\nfrom an editor','\n',char(10)));
INSERT INTO todo VALUES(3,'65ce52b3-ee5f-4a8d-a578-09ba9a0b30ed',1795477741158,'Buy milk','',0,1795477741175,0,NULL,'["shop","home"]',NULL,4,replace('buy milk\n','\n',char(10)));
INSERT INTO todo VALUES(4,'1a1a2b47-536f-480e-805d-f78773dbce6b',1795477741193,'Pay the rent','',1,1795477741496,0,'2026-11-30T23:59','["both"]',NULL,24,replace('pay the rent\n','\n',char(10)));
INSERT INTO todo VALUES(5,'489658dd-1ec2-4ca1-9ad3-705c5bc6c093',1795477741246,'Plan the trip to Orléans',replace(replace('Trains\r\nHotel\n','\r',char(13)),'\n',char(10)),0,NULL,0,'2028-02-29T00:00','["train","fun","script"]',NULL,34,replace(replace('plan the trip to orléans\ntrains\r\nhotel\n','\r',char(13)),'\n',char(10)));
INSERT INTO todo VALUES(6,'777223c9-7ed7-45d9-a1c3-acf19d50a173',1795477741373,'Learn the tuba','',0,NULL,1,'9999-12-31T23:59','["music"]','Noise',16,replace('learn the tuba\n','\n',char(10)));
INSERT INTO todo VALUES(7,'80364716-5f51-4306-b417-bed72c5b108a',1795477741407,'Write to Zoë','',0,1795477742617,0,NULL,'["post"]',NULL,96,replace('write to zoë\n','\n',char(10)));
INSERT INTO todo VALUES(8,'86c04867-07cb-4be0-9181-27892c7ea396',1795477741461,'Straße nach İstanbul, ΣΊΣΥΦΟΣ, ﬁn ✓',replace('\n日本語\n','\n',char(10)),0,NULL,0,'0001-01-01','["ÄÖÜ","äöü","both"]',NULL,26,replace('straße nach i̇stanbul, σίσυφοσ, ﬁn ✓\n\n日本語\n','\n',char(10)));
INSERT INTO todo VALUES(9,'2d42dd22-f5c0-476e-bb8e-ff1afdd048aa',1795477741534,'Paint the fence',replace('White\nor "blue"','\n',char(10)),0,1795477741536,0,'2027-05-01','["garden","paint"]',NULL,29,replace('paint the fence\nwhite\nor "blue"','\n',char(10)));
INSERT INTO todo VALUES(10,'a13fab8b-4d28-41e1-9bc4-a7d9d8ff32dc',1795477741536,'Oil the door','',0,1795477742753,0,'2027-01-01','[]','House',121,replace('oil the door\n','\n',char(10)));
INSERT INTO todo VALUES(11,'00d9e53e-7079-4366-8b37-354e06603f38',1795477741536,'Sweep the yard','',1,NULL,0,NULL,'["script"]',NULL,114,replace('sweep the yard\n','\n',char(10)));
INSERT INTO todo VALUES(12,'feb527c5-2bcb-4533-a7ee-e92a62ef5e6e',1795477741538,'A mistake','',0,NULL,1,NULL,'["garden"]',NULL,36,replace('a mistake\n','\n',char(10)));
INSERT INTO todo VALUES(13,'15a64324-5d08-40c6-b96d-ee49d872f6de',1795477741555,'Mend the old bike','',1,NULL,0,NULL,'["bike","red"]','House',89,replace('mend the old bike\n','\n',char(10)));
INSERT INTO todo VALUES(14,'1268dcc7-a1ee-4db1-8dc5-d3a518ae8b5e',1795477741576,'Cancel the paper','',0,1795477741598,1,NULL,'[]','House',44,replace('cancel the paper\n','\n',char(10)));
INSERT INTO todo VALUES(15,'29e0040f-b64b-429d-814e-a8fa957256d7',1795477741655,'Clean the windows','',0,NULL,0,'2026-12-25T08:00','[]',NULL,54,replace('clean the windows\n','\n',char(10)));
INSERT INTO todo VALUES(16,'79c80e6d-08d7-40fa-b743-e3953f1834ea',1795477741840,'Nobody''s business ☂️',replace('Gone\nfor good','\n',char(10)),0,NULL,2,'2026-12-31','["gone","say \"hi\""]','Gone',56,replace('nobody''s business ☂️\ngone\nfor good','\n',char(10)));
INSERT INTO todo VALUES(17,'6d5acbaf-a64a-4864-b5e6-68c7082edcdb',1795477741876,'Ask Tom','',0,NULL,0,NULL,'["tom"]',NULL,59,replace('ask tom\n','\n',char(10)));
INSERT INTO todo VALUES(18,'cb40187b-624f-4767-840a-3033eaf756c2',1795477741930,'Ask Ann again','',1,NULL,0,NULL,'["ann"]',NULL,63,replace('ask ann again\n','\n',char(10)));
INSERT INTO todo VALUES(19,'2aae612e-6c96-45a8-98b7-a195ea1e8f45',1795477742004,'Fix the café''s lamp','',1,NULL,2,NULL,'["lamp","bulb"]',NULL,66,replace('fix the café''s lamp\n','\n',char(10)));
INSERT INTO todo VALUES(20,'9a7069f8-d912-47a3-a8ec-15fd2ce4dd7a',1795477742098,'Sell the boat','',0,NULL,3,NULL,'[]',NULL,69,replace('sell the boat\n','\n',char(10)));
INSERT INTO todo VALUES(21,'839d7184-f9c8-4420-b6fc-b248a54833eb',1795477742162,'Read the green book','',0,NULL,0,NULL,'["three","book"]','Green',81,replace('read the green book\n','\n',char(10)));
INSERT INTO todo VALUES(22,'54dd07cb-5262-431b-bf90-22982ccca069',1795477742647,'Water the plants','',0,NULL,2,NULL,'["plants"]',NULL,100,replace('water the plants\n','\n',char(10)));
INSERT INTO todo VALUES(23,'2b44a38d-1aca-4a31-9eb4-55db931a9681',1795477742750,'Bake bread','',0,NULL,0,'2027-01-02','["kitchen"]',NULL,115,replace('bake bread\n','\n',char(10)));
INSERT INTO todo VALUES(24,'9cac3c74-16aa-4597-b390-9b4124cc0ef5',1795477742751,'Buy flour','',0,NULL,0,NULL,'["kitchen","shop"]',NULL,116,replace('buy flour\n','\n',char(10)));
INSERT INTO todo VALUES(25,'50daba68-be4a-41ef-8a01-7a4225a37895',1795477742814,'Never mind','',0,NULL,2,NULL,'[]','Gone',122,replace('never mind\n','\n',char(10)));
CREATE TABLE tag (
  name TEXT NOT NULL,
  todo INTEGER NOT NULL REFERENCES todo (number),
  PRIMARY KEY (name, todo)
) STRICT, WITHOUT ROWID;
INSERT INTO tag VALUES('ann',18);
INSERT INTO tag VALUES('back\slash',1);
INSERT INTO tag VALUES('bike',13);
INSERT INTO tag VALUES('book',21);
INSERT INTO tag VALUES('both',2);
INSERT INTO tag VALUES('both',4);
INSERT INTO tag VALUES('both',8);
INSERT INTO tag VALUES('bulb',19);
INSERT INTO tag VALUES('café',1);
INSERT INTO tag VALUES('café',1);
INSERT INTO tag VALUES('fun',5);
INSERT INTO tag VALUES('garden',9);
INSERT INTO tag VALUES('garden',12);
INSERT INTO tag VALUES('gone',16);
INSERT INTO tag VALUES('home',1);
INSERT INTO tag VALUES('home',2);
INSERT INTO tag VALUES('home',3);
INSERT INTO tag VALUES('it''s',1);
INSERT INTO tag VALUES('kitchen',23);
INSERT INTO tag VALUES('kitchen',24);
INSERT INTO tag VALUES('lamp',19);
INSERT INTO tag VALUES('music',6);
INSERT INTO tag VALUES('paint',9);
INSERT INTO tag VALUES('plants',22);
INSERT INTO tag VALUES('post',7);
INSERT INTO tag VALUES('red',13);
INSERT INTO tag VALUES('say "hi"',1);
INSERT INTO tag VALUES('say "hi"',16);
INSERT INTO tag VALUES('script',1);
INSERT INTO tag VALUES('script',5);
INSERT INTO tag VALUES('script',11);
INSERT INTO tag VALUES('shop',3);
INSERT INTO tag VALUES('shop',24);
INSERT INTO tag VALUES('three',21);
INSERT INTO tag VALUES('tom',17);
INSERT INTO tag VALUES('train',5);
INSERT INTO tag VALUES('ÄÖÜ',8);
INSERT INTO tag VALUES('äöü',8);
CREATE TABLE change (
  revision INTEGER PRIMARY KEY,
  todo INTEGER NOT NULL REFERENCES todo (number),
  before TEXT,
  after TEXT NOT NULL,
  session INTEGER NOT NULL,
  root INTEGER NOT NULL,
  origin TEXT NOT NULL,
  at INTEGER NOT NULL) STRICT;
INSERT INTO change VALUES(1,1,NULL,'{"title":"Don''t forget the café ☕️ 👩‍👩‍👧, the \"quoted\" C:\\path","subtitle":"First line\n\nthird \"line\", it''s \\n no newline\n\tand a tab","priority":"high","due":"2026-12-01","tags":["home","say \"hi\"","it''s","café","café","back\\slash"],"project":"Kitchen''s \"new\" plén"}',2232387977176877994,1,'cli',1795477741118);
INSERT INTO change VALUES(2,2,NULL,'{"title":"Call the plumber","due":"2026-12-01T09:30","tags":["home"],"project":"Kitchen"}',-4561128156202426979,1,'cli',1795477741141);
INSERT INTO change VALUES(3,3,NULL,'{"title":"Buy milk","tags":["shop","home"]}',-8874326850754708893,1,'cli',1795477741158);
INSERT INTO change VALUES(4,3,'{"completedAt":null}','{"completedAt":1795477741175}',-1181842148370477009,1,'cli',1795477741176);
INSERT INTO change VALUES(5,4,NULL,'{"title":"Pay the rent","priority":"high","due":"2026-11-30T23:59"}',-3108843945783225183,1,'cli',1795477741193);
INSERT INTO change VALUES(6,4,'{"completedAt":null}','{"completedAt":1795477741211}',-7682328799977887968,1,'cli',1795477741211);
INSERT INTO change VALUES(7,4,'{"completedAt":1795477741211}','{"completedAt":null}',-4033018796052655897,1,'cli',1795477741229);
INSERT INTO change VALUES(8,5,NULL,'{"title":"Plan the trip","subtitle":"Trains","priority":"high","due":"2027-02-28","tags":["trip","fun"],"project":"Spring"}',3564886835179585628,1,'cli',1795477741246);
INSERT INTO change VALUES(9,5,'{"title":"Plan the trip","tags":["trip","fun"]}','{"title":"Plan the trip to Orléans","tags":["trip","train"]}',6946111930902249628,1,'cli',1795477741263);
INSERT INTO change VALUES(10,5,'{"due":"2027-02-28","project":"Spring"}','{"due":null,"project":null}',3288359128669192329,1,'cli',1795477741281);
INSERT INTO change VALUES(11,5,'{"subtitle":"Trains","tags":["trip","train"]}','{"subtitle":"Trains\r\nHotel\n","tags":["train","fun"]}',4651816727110154410,1,'cli',1795477741300);
INSERT INTO change VALUES(12,5,'{"title":"Plan the trip to Orléans","priority":"high"}','{"title":"Plan the trip","priority":"normal"}',-7759000843794529099,1,'cli',1795477741318);
INSERT INTO change VALUES(13,5,'{"title":"Plan the trip"}','{"title":"Plan the trip to Orléans"}',-5503556960700911100,1,'cli',1795477741336);
INSERT INTO change VALUES(14,5,'{"title":"Plan the trip to Orléans","due":null}','{"title":"Plan the trip to Orléans","due":"2028-02-29T00:00"}',-4233214037103649904,1,'cli',1795477741354);
INSERT INTO change VALUES(15,6,NULL,'{"title":"Learn the tuba","due":"9999-12-31T23:59","tags":["music"],"project":"Noise"}',-6261474299020725731,1,'cli',1795477741373);
INSERT INTO change VALUES(16,6,'{"deleted":false}','{"deleted":true}',-5910008771116713575,1,'cli',1795477741390);
INSERT INTO change VALUES(17,7,NULL,'{"title":"Write to Zoë","tags":["post"]}',-2003611156451530307,1,'cli',1795477741407);
INSERT INTO change VALUES(18,7,'{"deleted":false}','{"deleted":true}',2965347265308866804,1,'cli',1795477741425);
INSERT INTO change VALUES(19,7,'{"deleted":true}','{"deleted":false}',-3884930735028729417,1,'cli',1795477741443);
INSERT INTO change VALUES(20,8,NULL,'{"title":"Straße nach İstanbul, ΣΊΣΥΦΟΣ, ﬁn ✓","subtitle":"\n日本語\n","due":"0001-01-01","tags":["ÄÖÜ","äöü"]}',4523241895325689187,1,'cli',1795477741461);
INSERT INTO change VALUES(21,2,'{"tags":["home"]}','{"tags":["home","both"]}',-3655427421661101473,1,'cli',1795477741478);
INSERT INTO change VALUES(22,4,'{"tags":[]}','{"tags":["both"]}',-3655427421661101473,1,'cli',1795477741478);
INSERT INTO change VALUES(23,8,'{"tags":["ÄÖÜ","äöü"]}','{"tags":["ÄÖÜ","äöü","both"]}',-3655427421661101473,1,'cli',1795477741478);
INSERT INTO change VALUES(24,4,'{"completedAt":null}','{"completedAt":1795477741496}',7343607450302029839,1,'cli',1795477741496);
INSERT INTO change VALUES(25,8,'{"completedAt":null}','{"completedAt":1795477741496}',7343607450302029839,1,'cli',1795477741496);
INSERT INTO change VALUES(26,8,'{"completedAt":1795477741496}','{"completedAt":null}',-6317951287471746676,1,'cli',1795477741514);
INSERT INTO change VALUES(27,9,NULL,'{"title":"Paint the fence","due":"2027-05-01","tags":["garden"]}',-6683200594185856582,1,'batch',1795477741534);
INSERT INTO change VALUES(28,9,'{"subtitle":"","tags":["garden"]}','{"subtitle":"White\nor \"blue\"","tags":["garden","paint"]}',-6683200594185856582,1,'batch',1795477741535);
INSERT INTO change VALUES(29,9,'{"completedAt":null}','{"completedAt":1795477741536}',-6683200594185856582,1,'batch',1795477741536);
INSERT INTO change VALUES(30,10,NULL,'{"title":"Oil the door","project":"House"}',-6683200594185856582,1,'batch',1795477741536);
INSERT INTO change VALUES(31,11,NULL,'{"title":"Sweep"}',-6683200594185856582,1,'batch',1795477741536);
INSERT INTO change VALUES(32,11,'{"title":"Sweep","priority":"normal"}','{"title":"Sweep the yard","priority":"high"}',-6683200594185856582,1,'batch',1795477741537);
INSERT INTO change VALUES(33,5,'{"title":"Plan the trip to Orléans","tags":["train","fun"]}','{"title":"Nothing","tags":["train","fun","script"]}',-6683200594185856582,1,'batch',1795477741537);
INSERT INTO change VALUES(34,5,'{"title":"Nothing"}','{"title":"Plan the trip to Orléans"}',-6683200594185856582,1,'batch',1795477741537);
INSERT INTO change VALUES(35,12,NULL,'{"title":"A mistake","tags":["garden"]}',-6683200594185856582,1,'batch',1795477741538);
INSERT INTO change VALUES(36,12,'{"deleted":false}','{"deleted":true}',-6683200594185856582,1,'batch',1795477741538);
INSERT INTO change VALUES(37,10,'{"due":null}','{"due":"2027-01-01"}',-6683200594185856582,1,'batch',1795477741538);
INSERT INTO change VALUES(38,13,NULL,'{"title":"Mend the bike","tags":["bike"]}',-3789020852463482252,2,'batch',1795477741555);
INSERT INTO change VALUES(39,13,'{"priority":"normal"}','{"priority":"high"}',-3789020852463482252,7,'batch',1795477741559);
INSERT INTO change VALUES(40,13,'{"project":null}','{"project":"House"}',-3789020852463482252,12,'batch',1795477741560);
INSERT INTO change VALUES(41,13,'{"title":"Mend the bike"}','{"title":"Mend the old bike"}',-3789020852463482252,17,'batch',1795477741560);
INSERT INTO change VALUES(42,14,NULL,'{"title":"Cancel the paper","project":"House"}',-806739618146177690,1,'cli',1795477741576);
INSERT INTO change VALUES(43,14,'{"completedAt":null}','{"completedAt":1795477741598}',-1655889561063367567,1,'cli',1795477741599);
INSERT INTO change VALUES(44,14,'{"deleted":false}','{"deleted":true}',-8235315624284609467,1,'cli',1795477741617);
INSERT INTO change VALUES(45,15,NULL,'{"title":"Clean the windows","due":"2026-12-24","tags":["home"]}',7262730598254843813,1,'cli',1795477741656);
INSERT INTO change VALUES(46,15,'{"title":"Clean the windows","due":"2026-12-24","tags":["home"]}','{"title":"Clean all windows","due":null,"tags":["home","clean"]}',5012492236304447335,1,'cli',1795477741674);
INSERT INTO change VALUES(47,15,'{"title":"Clean all windows","due":null,"tags":["home","clean"]}','{"title":"Clean the windows","due":"2026-12-24","tags":["home"]}',-3491176098494925324,2,'cli',1795477741696);
INSERT INTO change VALUES(48,15,'{"due":"2026-12-24","tags":["home"]}','{"due":"2026-12-25T08:00","tags":[]}',2752769828202504488,1,'cli',1795477741712);
INSERT INTO change VALUES(49,15,'{"due":"2026-12-25T08:00","tags":[]}','{"due":"2026-12-24","tags":["home"]}',-4090621049849735549,2,'cli',1795477741732);
INSERT INTO change VALUES(50,15,'{"due":"2026-12-24","tags":["home"]}','{"due":"2026-12-25T08:00","tags":[]}',8348702033266903382,2,'cli',1795477741751);
INSERT INTO change VALUES(51,15,'{"project":null}','{"project":"House"}',-9105236860706799332,1,'cli',1795477741767);
INSERT INTO change VALUES(52,15,'{"project":"House"}','{"project":null}',-9030211728177615240,2,'cli',1795477741787);
INSERT INTO change VALUES(53,15,'{"project":null}','{"project":"House"}',-1280549244570185895,2,'cli',1795477741806);
INSERT INTO change VALUES(54,15,'{"project":"House"}','{"project":null}',-4690179451119676695,2,'cli',1795477741825);
INSERT INTO change VALUES(55,16,NULL,'{"title":"Nobody''s business ☂️","subtitle":"Gone\nfor good","due":"2026-12-31","tags":["gone","say \"hi\""],"project":"Gone"}',-7069082984675756160,1,'cli',1795477741840);
INSERT INTO change VALUES(56,16,'{"withdrawn":false}','{"withdrawn":true}',-561545633050374383,2,'cli',1795477741860);
INSERT INTO change VALUES(57,17,NULL,'{"title":"Ask Tom","tags":["tom"]}',-6252512859674740054,1,'cli',1795477741876);
INSERT INTO change VALUES(58,17,'{"withdrawn":false}','{"withdrawn":true}',-5599165083084849197,2,'cli',1795477741896);
INSERT INTO change VALUES(59,17,'{"withdrawn":true}','{"withdrawn":false}',5901798026454120540,2,'cli',1795477741915);
INSERT INTO change VALUES(60,18,NULL,'{"title":"Ask Ann","tags":["ann"]}',575666207855165478,1,'cli',1795477741930);
INSERT INTO change VALUES(61,18,'{"withdrawn":false}','{"withdrawn":true}',-6492684021408683842,2,'cli',1795477741951);
INSERT INTO change VALUES(62,18,'{"withdrawn":true}','{"withdrawn":false}',800032720343998594,2,'cli',1795477741970);
INSERT INTO change VALUES(63,18,'{"title":"Ask Ann","priority":"normal"}','{"title":"Ask Ann again","priority":"high"}',3694279850675954855,1,'cli',1795477741986);
INSERT INTO change VALUES(64,19,NULL,'{"title":"Fix the lamp","tags":["lamp"]}',35983147928450815,1,'cli',1795477742004);
INSERT INTO change VALUES(65,19,'{"title":"Fix the lamp","priority":"normal","tags":["lamp"]}','{"title":"Fix the café''s lamp","priority":"high","tags":["lamp","bulb"]}',7845534704653306487,1,'jsonrpc',1795477742027);
INSERT INTO change VALUES(66,19,'{"withdrawn":false}','{"withdrawn":true}',-6825913171028494198,2,'cli',1795477742082);
INSERT INTO change VALUES(67,20,NULL,'{"title":"Sell the boat"}',-2450492025000106434,1,'cli',1795477742099);
INSERT INTO change VALUES(68,20,'{"deleted":false}','{"deleted":true}',3469955353182885776,1,'jsonrpc',1795477742121);
INSERT INTO change VALUES(69,20,'{"withdrawn":false}','{"withdrawn":true}',-4552423942527474896,2,'cli',1795477742147);
INSERT INTO change VALUES(70,21,NULL,'{"title":"Read the book","tags":["book"]}',3989694873347232152,1,'cli',1795477742162);
INSERT INTO change VALUES(71,21,'{"title":"Read the book","priority":"normal"}','{"title":"Read the red book","priority":"high"}',6646794502560418504,1,'cli',1795477742180);
INSERT INTO change VALUES(72,21,'{"title":"Read the red book"}','{"title":"Read the green book"}',6636896900614958009,1,'jsonrpc',1795477742203);
INSERT INTO change VALUES(73,21,'{"priority":"high"}','{"priority":"normal"}',1386834594780157982,2,'cli',1795477742223);
INSERT INTO change VALUES(74,21,'{"project":null}','{"project":"Red"}',-2922992525553947629,1,'cli',1795477742239);
INSERT INTO change VALUES(75,21,'{"project":"Red"}','{"project":"Green"}',5650909678086296853,1,'jsonrpc',1795477742261);
INSERT INTO change VALUES(76,21,'{"tags":["book"]}','{"tags":["one","two"]}',8035511825054370989,1,'cli',1795477742305);
INSERT INTO change VALUES(77,21,'{"tags":["one","two"]}','{"tags":["two","three"]}',8095512251060307386,1,'jsonrpc',1795477742328);
INSERT INTO change VALUES(78,21,'{"tags":["two","three"]}','{"tags":["three","book"]}',4918658975520153341,2,'cli',1795477742359);
INSERT INTO change VALUES(79,21,'{"subtitle":"","due":null}','{"subtitle":"Mine","due":"2027-03-01"}',5002997223167068370,1,'cli',1795477742375);
INSERT INTO change VALUES(80,21,'{"subtitle":"Mine"}','{"subtitle":"Theirs"}',-3434879766369939812,1,'jsonrpc',1795477742399);
INSERT INTO change VALUES(81,21,'{"subtitle":"Theirs","due":"2027-03-01"}','{"subtitle":"","due":null}',-2569639454122810120,2,'cli',1795477742427);
INSERT INTO change VALUES(82,2,'{"subtitle":""}','{"subtitle":"from an editor"}',-3732336531664279448,1,'jsonrpc',1795477742448);
INSERT INTO change VALUES(83,2,'{"subtitle":"from an editor"}','{"subtitle":""}',-3732336531664279448,7,'jsonrpc',1795477742454);
INSERT INTO change VALUES(84,2,'{"subtitle":""}','{"subtitle":"from an editor"}',-3732336531664279448,20,'jsonrpc',1795477742456);
INSERT INTO change VALUES(85,13,'{"tags":["bike"]}','{"tags":["bike","red"]}',4468966487251084404,1,'cli',1795477742479);
INSERT INTO change VALUES(86,13,'{"tags":["bike","red"]}','{"tags":["bike","red","green"]}',5978246728424241927,1,'cli',1795477742503);
INSERT INTO change VALUES(87,13,'{"tags":["bike","red","green"]}','{"tags":["bike","red"]}',-1952806424061328643,2,'cli',1795477742525);
INSERT INTO change VALUES(88,13,'{"tags":["bike","red"]}','{"tags":["bike"]}',-7181305646799145577,2,'cli',1795477742544);
INSERT INTO change VALUES(89,13,'{"tags":["bike"]}','{"tags":["bike","red"]}',-3811113259693610369,2,'cli',1795477742564);
INSERT INTO change VALUES(90,7,'{"deleted":false}','{"deleted":true}',-7744472970674731035,1,'cli',1795477742580);
INSERT INTO change VALUES(91,7,'{"deleted":true}','{"deleted":false}',6282492170926657961,2,'cli',1795477742600);
INSERT INTO change VALUES(92,7,'{"completedAt":null}','{"completedAt":1795477742617}',-5127173066994784579,2,'batch',1795477742617);
INSERT INTO change VALUES(93,7,'{"completedAt":1795477742617}','{"completedAt":null}',-5127173066994784579,8,'batch',1795477742622);
INSERT INTO change VALUES(94,7,'{"completedAt":null}','{"completedAt":1795477742617}',-5127173066994784579,21,'batch',1795477742624);
INSERT INTO change VALUES(95,7,'{"tags":["post"]}','{"tags":["post","session"]}',-5127173066994784579,33,'batch',1795477742625);
INSERT INTO change VALUES(96,7,'{"tags":["post","session"]}','{"tags":["post"]}',-5127173066994784579,39,'batch',1795477742626);
INSERT INTO change VALUES(97,22,NULL,'{"title":"Water the plants","tags":["plants"]}',-1751261020456398812,1,'cli',1795477742647);
INSERT INTO change VALUES(98,22,'{"title":"Water the plants","due":null}','{"title":"Water all plants","due":"2027-06-01"}',-4237964711939257902,1,'jsonrpc',1795477742671);
INSERT INTO change VALUES(99,22,'{"withdrawn":false}','{"withdrawn":true}',-7971703512583367739,2,'cli',1795477742712);
INSERT INTO change VALUES(100,22,'{"title":"Water all plants","due":"2027-06-01"}','{"title":"Water the plants","due":null}',-4753341710376102673,2,'cli',1795477742731);
INSERT INTO change VALUES(101,23,NULL,'{"title":"Bake bread","tags":["kitchen"]}',-2356508226863450898,1,'batch',1795477742750);
INSERT INTO change VALUES(102,24,NULL,'{"title":"Buy flour","tags":["kitchen","shop"]}',-2356508226863450898,1,'batch',1795477742751);
INSERT INTO change VALUES(103,11,'{"tags":[]}','{"tags":["script"]}',-2356508226863450898,1,'batch',1795477742751);
INSERT INTO change VALUES(104,1,'{"tags":["home","say \"hi\"","it''s","café","café","back\\slash"]}','{"tags":["home","say \"hi\"","it''s","café","café","back\\slash","script"]}',-2356508226863450898,1,'batch',1795477742751);
INSERT INTO change VALUES(105,10,'{"completedAt":null}','{"completedAt":1795477742753}',-2356508226863450898,1,'batch',1795477742753);
INSERT INTO change VALUES(106,23,'{"due":null}','{"due":"2027-01-02"}',-2356508226863450898,1,'batch',1795477742753);
INSERT INTO change VALUES(107,1,'{"tags":["home","say \"hi\"","it''s","café","café","back\\slash","script"]}','{"tags":["home","say \"hi\"","it''s","café","café","back\\slash"]}',-5919508010464772319,2,'cli',1795477742773);
INSERT INTO change VALUES(108,10,'{"completedAt":1795477742753}','{"completedAt":null}',-5919508010464772319,2,'cli',1795477742773);
INSERT INTO change VALUES(109,11,'{"tags":["script"]}','{"tags":[]}',-5919508010464772319,2,'cli',1795477742773);
INSERT INTO change VALUES(110,23,'{"withdrawn":false}','{"withdrawn":true}',-5919508010464772319,2,'cli',1795477742773);
INSERT INTO change VALUES(111,24,'{"withdrawn":false}','{"withdrawn":true}',-5919508010464772319,2,'cli',1795477742773);
INSERT INTO change VALUES(112,1,'{"tags":["home","say \"hi\"","it''s","café","café","back\\slash"]}','{"tags":["home","say \"hi\"","it''s","café","café","back\\slash","script"]}',-7759004820669287517,2,'cli',1795477742794);
INSERT INTO change VALUES(113,10,'{"completedAt":null}','{"completedAt":1795477742753}',-7759004820669287517,2,'cli',1795477742794);
INSERT INTO change VALUES(114,11,'{"tags":[]}','{"tags":["script"]}',-7759004820669287517,2,'cli',1795477742794);
INSERT INTO change VALUES(115,23,'{"withdrawn":true}','{"withdrawn":false}',-7759004820669287517,2,'cli',1795477742794);
INSERT INTO change VALUES(116,24,'{"withdrawn":true}','{"withdrawn":false}',-7759004820669287517,2,'cli',1795477742794);
INSERT INTO change VALUES(117,25,NULL,'{"title":"Never mind","project":"Gone"}',-2804671431662821914,1,'batch',1795477742814);
INSERT INTO change VALUES(118,10,'{"due":"2027-01-01","project":"House"}','{"due":null,"project":"Gone"}',-2804671431662821914,1,'batch',1795477742815);
INSERT INTO change VALUES(119,2,'{"deleted":false}','{"deleted":true}',-2804671431662821914,1,'batch',1795477742816);
INSERT INTO change VALUES(120,2,'{"deleted":true}','{"deleted":false}',4576765265690398740,2,'cli',1795477742836);
INSERT INTO change VALUES(121,10,'{"due":null,"project":"Gone"}','{"due":"2027-01-01","project":"House"}',4576765265690398740,2,'cli',1795477742836);
INSERT INTO change VALUES(122,25,'{"withdrawn":false}','{"withdrawn":true}',4576765265690398740,2,'cli',1795477742836);
CREATE TABLE step (
  number INTEGER PRIMARY KEY,
  session INTEGER NOT NULL,
  root INTEGER NOT NULL,
  origin TEXT NOT NULL,
  at INTEGER NOT NULL,
  kind INTEGER NOT NULL,
  undoes INTEGER,
  isTakenBack INTEGER NOT NULL,
  UNIQUE (session, root)
) STRICT;
INSERT INTO step VALUES(1,2232387977176877994,1,'cli',1795477741118,0,NULL,0);
INSERT INTO step VALUES(2,-4561128156202426979,1,'cli',1795477741141,0,NULL,0);
INSERT INTO step VALUES(3,-8874326850754708893,1,'cli',1795477741158,0,NULL,0);
INSERT INTO step VALUES(4,-1181842148370477009,1,'cli',1795477741176,0,NULL,0);
INSERT INTO step VALUES(5,-3108843945783225183,1,'cli',1795477741193,0,NULL,0);
INSERT INTO step VALUES(6,-7682328799977887968,1,'cli',1795477741211,0,NULL,0);
INSERT INTO step VALUES(7,-4033018796052655897,1,'cli',1795477741229,0,NULL,0);
INSERT INTO step VALUES(8,3564886835179585628,1,'cli',1795477741246,0,NULL,0);
INSERT INTO step VALUES(9,6946111930902249628,1,'cli',1795477741263,0,NULL,0);
INSERT INTO step VALUES(10,3288359128669192329,1,'cli',1795477741281,0,NULL,0);
INSERT INTO step VALUES(11,4651816727110154410,1,'cli',1795477741300,0,NULL,0);
INSERT INTO step VALUES(12,-7759000843794529099,1,'cli',1795477741318,0,NULL,0);
INSERT INTO step VALUES(13,-5503556960700911100,1,'cli',1795477741336,0,NULL,0);
INSERT INTO step VALUES(14,-4233214037103649904,1,'cli',1795477741354,0,NULL,0);
INSERT INTO step VALUES(15,-6261474299020725731,1,'cli',1795477741373,0,NULL,0);
INSERT INTO step VALUES(16,-5910008771116713575,1,'cli',1795477741390,0,NULL,0);
INSERT INTO step VALUES(17,-2003611156451530307,1,'cli',1795477741407,0,NULL,0);
INSERT INTO step VALUES(18,2965347265308866804,1,'cli',1795477741425,0,NULL,0);
INSERT INTO step VALUES(19,-3884930735028729417,1,'cli',1795477741443,0,NULL,0);
INSERT INTO step VALUES(20,4523241895325689187,1,'cli',1795477741461,0,NULL,0);
INSERT INTO step VALUES(21,-3655427421661101473,1,'cli',1795477741478,0,NULL,0);
INSERT INTO step VALUES(24,7343607450302029839,1,'cli',1795477741496,0,NULL,0);
INSERT INTO step VALUES(26,-6317951287471746676,1,'cli',1795477741514,0,NULL,0);
INSERT INTO step VALUES(27,-6683200594185856582,1,'batch',1795477741534,0,NULL,0);
INSERT INTO step VALUES(38,-3789020852463482252,2,'batch',1795477741555,0,NULL,0);
INSERT INTO step VALUES(39,-3789020852463482252,7,'batch',1795477741559,0,NULL,0);
INSERT INTO step VALUES(40,-3789020852463482252,12,'batch',1795477741560,0,NULL,0);
INSERT INTO step VALUES(41,-3789020852463482252,17,'batch',1795477741560,0,NULL,0);
INSERT INTO step VALUES(42,-806739618146177690,1,'cli',1795477741576,0,NULL,0);
INSERT INTO step VALUES(43,-1655889561063367567,1,'cli',1795477741599,0,NULL,0);
INSERT INTO step VALUES(44,-8235315624284609467,1,'cli',1795477741617,0,NULL,0);
INSERT INTO step VALUES(45,7262730598254843813,1,'cli',1795477741656,0,NULL,0);
INSERT INTO step VALUES(46,5012492236304447335,1,'cli',1795477741674,0,NULL,1);
INSERT INTO step VALUES(47,-3491176098494925324,2,'cli',1795477741696,1,46,0);
INSERT INTO step VALUES(48,2752769828202504488,1,'cli',1795477741712,0,NULL,0);
INSERT INTO step VALUES(49,-4090621049849735549,2,'cli',1795477741732,1,48,1);
INSERT INTO step VALUES(50,8348702033266903382,2,'cli',1795477741751,2,49,0);
INSERT INTO step VALUES(51,-9105236860706799332,1,'cli',1795477741767,0,NULL,1);
INSERT INTO step VALUES(52,-9030211728177615240,2,'cli',1795477741787,1,51,1);
INSERT INTO step VALUES(53,-1280549244570185895,2,'cli',1795477741806,2,52,0);
INSERT INTO step VALUES(54,-4690179451119676695,2,'cli',1795477741825,1,51,0);
INSERT INTO step VALUES(55,-7069082984675756160,1,'cli',1795477741840,0,NULL,1);
INSERT INTO step VALUES(56,-561545633050374383,2,'cli',1795477741860,1,55,0);
INSERT INTO step VALUES(57,-6252512859674740054,1,'cli',1795477741876,0,NULL,0);
INSERT INTO step VALUES(58,-5599165083084849197,2,'cli',1795477741896,1,57,1);
INSERT INTO step VALUES(59,5901798026454120540,2,'cli',1795477741915,2,58,0);
INSERT INTO step VALUES(60,575666207855165478,1,'cli',1795477741930,0,NULL,0);
INSERT INTO step VALUES(61,-6492684021408683842,2,'cli',1795477741951,1,60,1);
INSERT INTO step VALUES(62,800032720343998594,2,'cli',1795477741970,2,61,0);
INSERT INTO step VALUES(63,3694279850675954855,1,'cli',1795477741986,0,NULL,0);
INSERT INTO step VALUES(64,35983147928450815,1,'cli',1795477742004,0,NULL,1);
INSERT INTO step VALUES(65,7845534704653306487,1,'jsonrpc',1795477742027,0,NULL,0);
INSERT INTO step VALUES(66,-6825913171028494198,2,'cli',1795477742082,1,64,0);
INSERT INTO step VALUES(67,-2450492025000106434,1,'cli',1795477742099,0,NULL,1);
INSERT INTO step VALUES(68,3469955353182885776,1,'jsonrpc',1795477742121,0,NULL,0);
INSERT INTO step VALUES(69,-4552423942527474896,2,'cli',1795477742147,1,67,0);
INSERT INTO step VALUES(70,3989694873347232152,1,'cli',1795477742162,0,NULL,0);
INSERT INTO step VALUES(71,6646794502560418504,1,'cli',1795477742180,0,NULL,1);
INSERT INTO step VALUES(72,6636896900614958009,1,'jsonrpc',1795477742203,0,NULL,0);
INSERT INTO step VALUES(73,1386834594780157982,2,'cli',1795477742223,1,71,0);
INSERT INTO step VALUES(74,-2922992525553947629,1,'cli',1795477742239,0,NULL,1);
INSERT INTO step VALUES(75,5650909678086296853,1,'jsonrpc',1795477742261,0,NULL,0);
INSERT INTO step VALUES(76,8035511825054370989,1,'cli',1795477742305,0,NULL,1);
INSERT INTO step VALUES(77,8095512251060307386,1,'jsonrpc',1795477742328,0,NULL,0);
INSERT INTO step VALUES(78,4918658975520153341,2,'cli',1795477742359,1,76,0);
INSERT INTO step VALUES(79,5002997223167068370,1,'cli',1795477742375,0,NULL,1);
INSERT INTO step VALUES(80,-3434879766369939812,1,'jsonrpc',1795477742399,0,NULL,0);
INSERT INTO step VALUES(81,-2569639454122810120,2,'cli',1795477742427,1,79,0);
INSERT INTO step VALUES(82,-3732336531664279448,1,'jsonrpc',1795477742448,0,NULL,0);
INSERT INTO step VALUES(83,-3732336531664279448,7,'jsonrpc',1795477742454,1,82,1);
INSERT INTO step VALUES(84,-3732336531664279448,20,'jsonrpc',1795477742456,2,83,0);
INSERT INTO step VALUES(85,4468966487251084404,1,'cli',1795477742479,0,NULL,0);
INSERT INTO step VALUES(86,5978246728424241927,1,'cli',1795477742503,0,NULL,1);
INSERT INTO step VALUES(87,-1952806424061328643,2,'cli',1795477742525,1,86,0);
INSERT INTO step VALUES(88,-7181305646799145577,2,'cli',1795477742544,1,85,1);
INSERT INTO step VALUES(89,-3811113259693610369,2,'cli',1795477742564,2,88,0);
INSERT INTO step VALUES(90,-7744472970674731035,1,'cli',1795477742580,0,NULL,1);
INSERT INTO step VALUES(91,6282492170926657961,2,'cli',1795477742600,1,90,0);
INSERT INTO step VALUES(92,-5127173066994784579,2,'batch',1795477742617,0,NULL,0);
INSERT INTO step VALUES(93,-5127173066994784579,8,'batch',1795477742622,1,92,1);
INSERT INTO step VALUES(94,-5127173066994784579,21,'batch',1795477742624,2,93,0);
INSERT INTO step VALUES(95,-5127173066994784579,33,'batch',1795477742625,0,NULL,1);
INSERT INTO step VALUES(96,-5127173066994784579,39,'batch',1795477742626,1,95,0);
INSERT INTO step VALUES(97,-1751261020456398812,1,'cli',1795477742647,0,NULL,1);
INSERT INTO step VALUES(98,-4237964711939257902,1,'jsonrpc',1795477742671,0,NULL,1);
INSERT INTO step VALUES(99,-7971703512583367739,2,'cli',1795477742712,1,97,0);
INSERT INTO step VALUES(100,-4753341710376102673,2,'cli',1795477742731,1,98,0);
INSERT INTO step VALUES(101,-2356508226863450898,1,'batch',1795477742750,0,NULL,0);
INSERT INTO step VALUES(107,-5919508010464772319,2,'cli',1795477742773,1,101,1);
INSERT INTO step VALUES(112,-7759004820669287517,2,'cli',1795477742794,2,107,0);
INSERT INTO step VALUES(117,-2804671431662821914,1,'batch',1795477742814,0,NULL,1);
INSERT INTO step VALUES(120,4576765265690398740,2,'cli',1795477742836,1,117,0);
CREATE INDEX todoByCreation ON todo (deleted, createdAt DESC, number DESC);
CREATE INDEX todoByDue ON todo (due, number DESC) WHERE due IS NOT NULL;
CREATE INDEX todoByProject ON todo (project) WHERE project IS NOT NULL;
CREATE INDEX changeByTodo ON change (todo, revision);
CREATE INDEX todoByOpening ON todo (createdAt DESC, number DESC)
  WHERE completedAt IS NULL AND deleted = 0;
CREATE INDEX todoByCompletion ON todo (createdAt DESC, number DESC)
  WHERE completedAt IS NOT NULL AND deleted = 0;
CREATE INDEX todoByPriority ON todo (priority) WHERE priority = 1;
CREATE INDEX stepByState ON step (kind, isTakenBack);
CREATE INDEX stepByOrigin ON step (origin, kind, isTakenBack);
CREATE INDEX changeByRoot ON change (session, root, todo);
COMMIT;
