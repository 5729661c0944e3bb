PRAGMA foreign_keys=OFF;
PRAGMA application_id = 1953457263;
PRAGMA user_version = 2;
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
INSERT INTO todo VALUES(1,'fa76dcfa-87b0-4690-a12d-fb1b1096c525',1795477740495,'Don''t forget the café ☕️ 👩‍👩‍👧, the "quoted" C:\path',replace('First line\012\012third "line", it''s \n no newline\012	and a tab','\012',char(10)),1,NULL,0,'2026-12-01','["home","say \"hi\"","it''s","café","café","back\\slash"]','Kitchen''s "new" plén',1,replace('don''t forget the café ☕️ 👩‍👩‍👧, the "quoted" c:\path\012first line\012\012third "line", it''s \n no newline\012	and a tab','\012',char(10)));
INSERT INTO todo VALUES(2,'64c58ab5-917a-4d30-95b9-ed39d947d47d',1795477740515,'Call the plumber','',0,NULL,0,'2026-12-01T09:30','["home","both"]','Kitchen',21,replace('call the plumber\n','\n',char(10)));
INSERT INTO todo VALUES(3,'756c434a-8079-4186-894f-fe5607a2d3c6',1795477740530,'Buy milk','',0,1795477740544,0,NULL,'["shop","home"]',NULL,4,replace('buy milk\n','\n',char(10)));
INSERT INTO todo VALUES(4,'7ffa0c36-17eb-418b-ac23-e7ba89fd714f',1795477740559,'Pay the rent','',1,1795477740839,0,'2026-11-30T23:59','["both"]',NULL,24,replace('pay the rent\n','\n',char(10)));
INSERT INTO todo VALUES(5,'282df829-0344-4f35-a6ad-8832a1ba1334',1795477740605,'Plan the trip to Orléans',replace(replace('Trains\r\nHotel\n','\r',char(13)),'\n',char(10)),0,NULL,0,'2028-02-29T00:00','["train","fun","script"]',NULL,34,replace(replace('plan the trip to orléans\ntrains\r\nhotel\n','\r',char(13)),'\n',char(10)));
INSERT INTO todo VALUES(6,'a7e39573-52ee-4942-b11b-d5ec9b3f4ad2',1795477740719,'Learn the tuba','',0,NULL,1,'9999-12-31T23:59','["music"]','Noise',16,replace('learn the tuba\n','\n',char(10)));
INSERT INTO todo VALUES(7,'688b1830-a6df-4547-9650-d6258aa83587',1795477740751,'Write to Zoë','',0,NULL,0,NULL,'["post"]',NULL,19,replace('write to zoë\n','\n',char(10)));
INSERT INTO todo VALUES(8,'34a527ab-95fd-4587-bf73-82ee32104da0',1795477740797,'Straße nach İstanbul, ΣΊΣΥΦΟΣ, ﬁn ✓',replace('\n日本語\n','\n',char(10)),0,NULL,0,'0001-01-01','["ÄÖÜ","äöü","both"]',NULL,26,replace('straße nach i̇stanbul, σίσυφοσ, ﬁn ✓\n\n日本語\n','\n',char(10)));
INSERT INTO todo VALUES(9,'6b94e6c3-3204-4d91-b806-82425a62d3f0',1795477740874,'Paint the fence',replace('White\nor "blue"','\n',char(10)),0,1795477740876,0,'2027-05-01','["garden","paint"]',NULL,29,replace('paint the fence\nwhite\nor "blue"','\n',char(10)));
INSERT INTO todo VALUES(10,'52b27414-11c3-4cce-b972-0d5fd7ced61b',1795477740876,'Oil the door','',0,NULL,0,'2027-01-01','[]','House',37,replace('oil the door\n','\n',char(10)));
INSERT INTO todo VALUES(11,'f013dbd6-8b0a-42bc-a8d0-26777e8c00b2',1795477740876,'Sweep the yard','',1,NULL,0,NULL,'[]',NULL,32,replace('sweep the yard\n','\n',char(10)));
INSERT INTO todo VALUES(12,'4636adc8-ce19-4c6f-b727-f64e8cf610a9',1795477740877,'A mistake','',0,NULL,1,NULL,'["garden"]',NULL,36,replace('a mistake\n','\n',char(10)));
INSERT INTO todo VALUES(13,'91ec5cde-ade8-4dd1-aa43-340c5847cfd0',1795477740891,'Mend the old bike','',1,NULL,0,NULL,'["bike"]','House',41,replace('mend the old bike\n','\n',char(10)));
INSERT INTO todo VALUES(14,'f0c979d9-0903-48c6-b9ae-e797f3e8b3df',1795477740909,'Cancel the paper','',0,1795477740925,1,NULL,'[]','House',44,replace('cancel the paper\n','\n',char(10)));
CREATE TABLE tag (
  name TEXT NOT NULL,
  todo INTEGER NOT NULL REFERENCES todo (number),
  PRIMARY KEY (name, todo)
) STRICT, WITHOUT ROWID;
INSERT INTO tag VALUES('back\slash',1);
INSERT INTO tag VALUES('bike',13);
INSERT INTO tag VALUES('both',2);
INSERT INTO tag VALUES('both',4);
INSERT INTO tag VALUES('both',8);
INSERT INTO tag VALUES('café',1);
INSERT INTO tag VALUES('café',1);
INSERT INTO tag VALUES('fun',5);
INSERT INTO tag VALUES('garden',9);
INSERT INTO tag VALUES('garden',12);
INSERT INTO tag VALUES('home',1);
INSERT INTO tag VALUES('home',2);
INSERT INTO tag VALUES('home',3);
INSERT INTO tag VALUES('it''s',1);
INSERT INTO tag VALUES('music',6);
INSERT INTO tag VALUES('paint',9);
INSERT INTO tag VALUES('post',7);
INSERT INTO tag VALUES('say "hi"',1);
INSERT INTO tag VALUES('script',5);
INSERT INTO tag VALUES('shop',3);
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
  at INTEGER NOT NULL,
  undoesSession INTEGER,
  undoesRoot INTEGER
) STRICT;
INSERT INTO change VALUES(1,1,NULL,'{"title":"Don''t forget the café ☕️ 👩‍👩‍👧, the \"quoted\" C:\\path","subtitle":"First line\n\nthird \"line\", it''s \\n no newline\n\tand a tab","priority":"high","due":"2026-12-01","tags":["home","say \"hi\"","it''s","café","café","back\\slash"],"project":"Kitchen''s \"new\" plén"}',-7173906452680805934,1,'cli',1795477740496,NULL,NULL);
INSERT INTO change VALUES(2,2,NULL,'{"title":"Call the plumber","due":"2026-12-01T09:30","tags":["home"],"project":"Kitchen"}',-4868133280171045015,1,'cli',1795477740515,NULL,NULL);
INSERT INTO change VALUES(3,3,NULL,'{"title":"Buy milk","tags":["shop","home"]}',5537940123261843202,1,'cli',1795477740530,NULL,NULL);
INSERT INTO change VALUES(4,3,'{"completedAt":null}','{"completedAt":1795477740544}',1954447355531599503,1,'cli',1795477740544,NULL,NULL);
INSERT INTO change VALUES(5,4,NULL,'{"title":"Pay the rent","priority":"high","due":"2026-11-30T23:59"}',-3666899566039734107,1,'cli',1795477740560,NULL,NULL);
INSERT INTO change VALUES(6,4,'{"completedAt":null}','{"completedAt":1795477740574}',1690462406611550488,1,'cli',1795477740574,NULL,NULL);
INSERT INTO change VALUES(7,4,'{"completedAt":1795477740574}','{"completedAt":null}',8370877743554912014,1,'cli',1795477740589,NULL,NULL);
INSERT INTO change VALUES(8,5,NULL,'{"title":"Plan the trip","subtitle":"Trains","priority":"high","due":"2027-02-28","tags":["trip","fun"],"project":"Spring"}',5149076863052579222,1,'cli',1795477740605,NULL,NULL);
INSERT INTO change VALUES(9,5,'{"title":"Plan the trip","tags":["trip","fun"]}','{"title":"Plan the trip to Orléans","tags":["trip","train"]}',-5269310547882052316,1,'cli',1795477740620,NULL,NULL);
INSERT INTO change VALUES(10,5,'{"due":"2027-02-28","project":"Spring"}','{"due":null,"project":null}',8663173342326966177,1,'cli',1795477740636,NULL,NULL);
INSERT INTO change VALUES(11,5,'{"subtitle":"Trains","tags":["trip","train"]}','{"subtitle":"Trains\r\nHotel\n","tags":["train","fun"]}',3661574600429072692,1,'cli',1795477740653,NULL,NULL);
INSERT INTO change VALUES(12,5,'{"title":"Plan the trip to Orléans","priority":"high"}','{"title":"Plan the trip","priority":"normal"}',-6620377759011235938,1,'cli',1795477740671,NULL,NULL);
INSERT INTO change VALUES(13,5,'{"title":"Plan the trip"}','{"title":"Plan the trip to Orléans"}',-5401498583301030089,1,'cli',1795477740688,NULL,NULL);
INSERT INTO change VALUES(14,5,'{"title":"Plan the trip to Orléans","due":null}','{"title":"Plan the trip to Orléans","due":"2028-02-29T00:00"}',-600161312630473813,1,'cli',1795477740703,NULL,NULL);
INSERT INTO change VALUES(15,6,NULL,'{"title":"Learn the tuba","due":"9999-12-31T23:59","tags":["music"],"project":"Noise"}',4739770716466907985,1,'cli',1795477740719,NULL,NULL);
INSERT INTO change VALUES(16,6,'{"deleted":false}','{"deleted":true}',4655957432842593224,1,'cli',1795477740735,NULL,NULL);
INSERT INTO change VALUES(17,7,NULL,'{"title":"Write to Zoë","tags":["post"]}',8621073718666302808,1,'cli',1795477740751,NULL,NULL);
INSERT INTO change VALUES(18,7,'{"deleted":false}','{"deleted":true}',-6894101469228706626,1,'cli',1795477740766,NULL,NULL);
INSERT INTO change VALUES(19,7,'{"deleted":true}','{"deleted":false}',3653836693333294903,1,'cli',1795477740781,NULL,NULL);
INSERT INTO change VALUES(20,8,NULL,'{"title":"Straße nach İstanbul, ΣΊΣΥΦΟΣ, ﬁn ✓","subtitle":"\n日本語\n","due":"0001-01-01","tags":["ÄÖÜ","äöü"]}',-4327126390400940126,1,'cli',1795477740797,NULL,NULL);
INSERT INTO change VALUES(21,2,'{"tags":["home"]}','{"tags":["home","both"]}',3345576273487362667,1,'cli',1795477740815,NULL,NULL);
INSERT INTO change VALUES(22,4,'{"tags":[]}','{"tags":["both"]}',3345576273487362667,1,'cli',1795477740815,NULL,NULL);
INSERT INTO change VALUES(23,8,'{"tags":["ÄÖÜ","äöü"]}','{"tags":["ÄÖÜ","äöü","both"]}',3345576273487362667,1,'cli',1795477740815,NULL,NULL);
INSERT INTO change VALUES(24,4,'{"completedAt":null}','{"completedAt":1795477740839}',-2579796569294928915,1,'cli',1795477740839,NULL,NULL);
INSERT INTO change VALUES(25,8,'{"completedAt":null}','{"completedAt":1795477740839}',-2579796569294928915,1,'cli',1795477740839,NULL,NULL);
INSERT INTO change VALUES(26,8,'{"completedAt":1795477740839}','{"completedAt":null}',-1817440345043286182,1,'cli',1795477740856,NULL,NULL);
INSERT INTO change VALUES(27,9,NULL,'{"title":"Paint the fence","due":"2027-05-01","tags":["garden"]}',-8374292290211660499,1,'batch',1795477740874,NULL,NULL);
INSERT INTO change VALUES(28,9,'{"subtitle":"","tags":["garden"]}','{"subtitle":"White\nor \"blue\"","tags":["garden","paint"]}',-8374292290211660499,1,'batch',1795477740875,NULL,NULL);
INSERT INTO change VALUES(29,9,'{"completedAt":null}','{"completedAt":1795477740876}',-8374292290211660499,1,'batch',1795477740876,NULL,NULL);
INSERT INTO change VALUES(30,10,NULL,'{"title":"Oil the door","project":"House"}',-8374292290211660499,1,'batch',1795477740876,NULL,NULL);
INSERT INTO change VALUES(31,11,NULL,'{"title":"Sweep"}',-8374292290211660499,1,'batch',1795477740876,NULL,NULL);
INSERT INTO change VALUES(32,11,'{"title":"Sweep","priority":"normal"}','{"title":"Sweep the yard","priority":"high"}',-8374292290211660499,1,'batch',1795477740876,NULL,NULL);
INSERT INTO change VALUES(33,5,'{"title":"Plan the trip to Orléans","tags":["train","fun"]}','{"title":"Nothing","tags":["train","fun","script"]}',-8374292290211660499,1,'batch',1795477740876,NULL,NULL);
INSERT INTO change VALUES(34,5,'{"title":"Nothing"}','{"title":"Plan the trip to Orléans"}',-8374292290211660499,1,'batch',1795477740877,NULL,NULL);
INSERT INTO change VALUES(35,12,NULL,'{"title":"A mistake","tags":["garden"]}',-8374292290211660499,1,'batch',1795477740877,NULL,NULL);
INSERT INTO change VALUES(36,12,'{"deleted":false}','{"deleted":true}',-8374292290211660499,1,'batch',1795477740877,NULL,NULL);
INSERT INTO change VALUES(37,10,'{"due":null}','{"due":"2027-01-01"}',-8374292290211660499,1,'batch',1795477740877,NULL,NULL);
INSERT INTO change VALUES(38,13,NULL,'{"title":"Mend the bike","tags":["bike"]}',-6360004084802654702,2,'batch',1795477740891,NULL,NULL);
INSERT INTO change VALUES(39,13,'{"priority":"normal"}','{"priority":"high"}',-6360004084802654702,7,'batch',1795477740894,NULL,NULL);
INSERT INTO change VALUES(40,13,'{"project":null}','{"project":"House"}',-6360004084802654702,12,'batch',1795477740895,NULL,NULL);
INSERT INTO change VALUES(41,13,'{"title":"Mend the bike"}','{"title":"Mend the old bike"}',-6360004084802654702,17,'batch',1795477740896,NULL,NULL);
INSERT INTO change VALUES(42,14,NULL,'{"title":"Cancel the paper","project":"House"}',-6079119180961166039,1,'cli',1795477740909,NULL,NULL);
INSERT INTO change VALUES(43,14,'{"completedAt":null}','{"completedAt":1795477740925}',-8667480545017301573,1,'cli',1795477740925,NULL,NULL);
INSERT INTO change VALUES(44,14,'{"deleted":false}','{"deleted":true}',6923126592408865594,1,'cli',1795477740941,NULL,NULL);
CREATE INDEX todoByCreation ON todo (deleted, createdAt DESC, number DESC);
CREATE INDEX todoByDue ON todo (due, number DESC) WHERE due IS NOT NULL;
CREATE INDEX todoByProject ON todo (project) WHERE project IS NOT NULL;
CREATE INDEX changeByTodo ON change (todo, revision);
CREATE INDEX changeByRoot ON change (session, root);
CREATE INDEX todoByOpening ON todo (createdAt DESC, number DESC)
  WHERE completedAt IS NULL AND deleted = 0;
CREATE INDEX todoByCompletion ON todo (createdAt DESC, number DESC)
  WHERE completedAt IS NOT NULL AND deleted = 0;
CREATE INDEX todoByPriority ON todo (priority) WHERE priority = 1;
COMMIT;
